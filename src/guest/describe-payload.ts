import { describe } from '../core/describe/describe.ts';
import { withHidden } from '../core/describe/hidden.ts';
import type { Recipe } from '../model/recipe.ts';
import type { Shape } from '../model/shape.ts';
import type { Ask, Described } from '../model/wire.ts';
import { build, isTouchedByPromises } from './materialize.ts';
import { confirm } from './probe/confirm.ts';
import type { Confirmed } from './probe/confirmed.ts';
import { probeFor } from './probe/probe.ts';
import { sayingOf } from './user-code.ts';

type DescribeAsk = Extract<Ask, { type: 'describe' }>;
type Outcome = Pick<Described, 'wireBytes' | 'rejected'> & { confirmation: Confirmed['confirmation'] | null };

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
    return sayingOf(error);
  }
}

async function ask({ recipe, channel }: DescribeAsk, value: unknown, shape: Shape): Promise<Outcome> {
  if (isTouchedByPromises(value)) return { confirmation: null, wireBytes: null, rejected: refusal(value) };
  // Describing leaves no trace on parsed values; others are built anew, because their strings may have changed form.
  const fresh = isFromJson(recipe) ? async () => value : async () => (await build(recipe)).value;
  return confirm(fresh, shape, channel);
}

/**
 * Builds a payload and says what it is: its shape, and what the engine's own oracle and serializer say of a real post.
 * Hidden state that only the oracle sees is part of the shape.
 *
 * @throws ToolError of building it
 */
export async function describePayload(request: DescribeAsk): Promise<Described> {
  const fromJson = isFromJson(request.recipe);
  const probe = await probeFor({ fromJson });
  const { value } = await build(request.recipe);
  const shape = describe(value, probe, { trusted: fromJson, jsonBytes: true });
  const asked = request.confirm === true || (request.confirm === 'when-cheap' && isCheap(shape));
  if (!asked) return { type: 'described', shape, confirmation: null, wireBytes: null, rejected: null };
  const { confirmation, wireBytes, rejected } = await ask(request, value, shape);
  return {
    type: 'described',
    shape: withHidden(shape, confirmation?.hidden ?? []),
    confirmation,
    wireBytes,
    rejected,
  };
}
