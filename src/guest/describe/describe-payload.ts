import { describe } from '../../core/describe/describe.ts';
import { withHidden } from '../../core/describe/hidden-state.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { Shape } from '../../model/shape.ts';
import type { Described, RequestOf } from '../../model/wire.ts';
import { type OracleResult, rejectedWith } from '../../probe/oracle-result.ts';
import { probeFor, runningProbe } from '../../probe/probe.ts';
import { build } from '../payload/materialize.ts';
import { runsCodeWhenAwaited } from '../payload/thenable.ts';
import { messageOf } from '../user-code/thrown.ts';

type DescribeRequest = RequestOf<'describe'>;
type ConfirmResult = Omit<OracleResult, 'confirmation'> & {
  confirmation: OracleResult['confirmation'] | null;
};

/** Beyond these, serializing takes longer than parsing and describing the payload. */
const CHEAP_NODES = 250_000;
const CHEAP_BYTES = 16 * 1024 * 1024;

const NOT_ASKED: ConfirmResult = { confirmation: null, wireBytes: null, rejected: null };

/** The value comes straight from JSON.parse: it has no accessors, no user prototypes, no hidden state. */
const isFromJson = ({ build: { form }, via }: Recipe) => (form === 'json' || form === 'ndjson') && !via;

function isCheap({ nodes, patterns }: Shape): boolean {
  const bytes = patterns.reduce((sum, row) => sum + (row.bytes?.total ?? 0), 0);
  return nodes <= CHEAP_NODES && bytes <= CHEAP_BYTES;
}

/** Whether the engine refuses to clone a value, and why. */
function refusal(value: unknown, shape: Shape): ConfirmResult {
  try {
    structuredClone(value);
    return NOT_ASKED;
  } catch (error) {
    return { ...rejectedWith(error, value, shape), rejected: messageOf(error) };
  }
}

interface DescribedValue {
  shape: Shape;
  /** Takes the place of the oracle's answer: the oracle awaits the value, which would run its code. */
  answer: ConfirmResult | null;
}

/** The value is not kept: describing may have changed its storage (see Storage.untouchedArray). */
async function describeFresh({ recipe }: DescribeRequest): Promise<DescribedValue> {
  const fromJson = isFromJson(recipe);
  const probe = await probeFor({ fromJson });
  const { value } = await build(recipe);
  const shape = describe(value, probe, { fromJson, jsonBytes: true });
  return { shape, answer: runsCodeWhenAwaited(value) ? refusal(value, shape) : null };
}

/**
 * Builds a payload and describes it: its shape, and what the engine's oracle and serializer say of a real post. Hidden
 * state that only the oracle finds becomes part of the shape.
 *
 * @throws ToolError of building it
 */
export async function describePayload(request: DescribeRequest): Promise<Described> {
  const { recipe, channel } = request;
  const { shape, answer } = await describeFresh(request);
  const asked = request.confirm === true || (request.confirm === 'when-cheap' && isCheap(shape));
  if (!asked) return { type: 'described', shape, ...NOT_ASKED };
  const fresh = async () => (await build(recipe)).value;
  const result = answer ?? (await runningProbe().confirm(fresh, shape, channel, isFromJson(recipe)));
  return { type: 'described', ...result, shape: withHidden(shape, result.confirmation?.hidden ?? null) };
}
