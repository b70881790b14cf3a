import { describe } from '../../core/describe/describe.ts';
import { withHidden } from '../../core/describe/hidden-state.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { Shape } from '../../model/shape.ts';
import type { Described, GuestRequest } from '../../model/wire.ts';
import type { OracleResult } from '../../probe/oracle-result.ts';
import { probeFor, runningProbe } from '../../probe/probe.ts';
import { build, isTouchedByPromises } from '../payload/materialize.ts';
import { messageOf } from '../user-code/user-code.ts';

type DescribeAsk = Extract<GuestRequest, { type: 'describe' }>;
type Outcome = Pick<Described, 'wireBytes' | 'rejected'> & {
  confirmation: OracleResult['confirmation'] | null;
};

/** Beyond these, serializing takes longer than parsing and describing the payload. */
const CHEAP_NODES = 250_000;
const CHEAP_BYTES = 16 * 1024 * 1024;

/** The value comes straight out of JSON.parse: no accessor, no prototype of the user's, nothing hidden. */
const isFromJson = ({ build: { form }, via }: Recipe) => (form === 'json' || form === 'ndjson') && !via;

function isCheap({ nodes, patterns }: Shape): boolean {
  const bytes = patterns.reduce((sum, row) => sum + (row.bytes?.total ?? 0), 0);
  return nodes <= CHEAP_NODES && bytes <= CHEAP_BYTES;
}

/** Why the engine refuses to clone a value; null when it does not. */
function refusal(value: unknown): string | null {
  try {
    structuredClone(value);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

interface Looked {
  shape: Shape;
  /** Set where asking the oracle would make promises in the value known to be handled: why it is refused. */
  refused: { saying: string | null } | null;
}

/** The value is let go again: describing may have changed its storage (see Storage.ahead), so the oracle gets another. */
async function look({ recipe }: DescribeAsk): Promise<Looked> {
  const trusted = isFromJson(recipe);
  const probe = await probeFor({ fromJson: trusted });
  const { value } = await build(recipe);
  const shape = describe(value, probe, { fromJson: trusted, jsonBytes: true });
  return { shape, refused: isTouchedByPromises(value) ? { saying: refusal(value) } : null };
}

async function ask({ recipe, channel }: DescribeAsk, { shape, refused }: Looked): Promise<Outcome> {
  if (refused !== null) return { confirmation: null, wireBytes: null, rejected: refused.saying };
  return runningProbe().confirm(async () => (await build(recipe)).value, shape, channel);
}

/**
 * Builds a payload and says what it is: its shape, and what the engine's own oracle and serializer say of a real post.
 * Hidden state that only the oracle sees is part of the shape.
 *
 * @throws ToolError of building it
 */
export async function describePayload(request: DescribeAsk): Promise<Described> {
  const looked = await look(request);
  const { shape } = looked;
  const asked = request.confirm === true || (request.confirm === 'when-cheap' && isCheap(shape));
  if (!asked) return { type: 'described', shape, confirmation: null, wireBytes: null, rejected: null };
  const { confirmation, wireBytes, rejected } = await ask(request, looked);
  return {
    type: 'described',
    shape: withHidden(shape, confirmation?.hidden ?? []),
    confirmation,
    wireBytes,
    rejected,
  };
}
