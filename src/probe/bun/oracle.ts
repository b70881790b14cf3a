/** Bun's own word on the path it took: what the message cost, and what the received value looks like. */

import type { PathName } from '../../model/names.ts';
import type { Shape } from '../../model/shape.ts';
import type { Confirmation } from '../../model/wire.ts';
import { type Confirmed, notAnswered, rejectedWith } from '../confirmed.ts';
import { serialized } from '../serialized.ts';
import { hiddenIn } from './hidden-state.ts';
import { type BunJsc, parseObjectText, parseStringText } from './jsc.ts';
import { type FastPathCost, fastForm, type Width, widthByContent } from './message-cost.ts';
import { type Arrived, type BunWire, bunWire, NotDelivered } from './self-channel.ts';
import { sharingWatch, type Watched } from './string-sharing.ts';

/** JSFinalObject::maxInlineCapacity, and what the serializer starts every object with. */
const MOST_INLINE = 62;
const SERIALIZED_INLINE = 6;

type Took = PathName | 'fast' | null;

function exactWidth(jsc: BunJsc): Width {
  return (text) => {
    const said = parseStringText(jsc.jscDescribe(text));
    return said === null || said.narrow === false ? 2 * text.length : text.length;
  };
}

function modeOf(jsc: BunJsc, value: unknown): string | undefined {
  return parseObjectText(jsc.jscDescribe(value))?.mode;
}

/** Cost and wire are equal: the received value shows which path made it, for most. */
function byReceived(jsc: BunJsc, { received }: Arrived, form: FastPathCost): Took {
  const said = parseObjectText(jsc.jscDescribe(received));
  if (said === null) return null;
  if (form.keys >= 0 && form.keys !== SERIALIZED_INLINE) {
    if (said.inlineCapacity === SERIALIZED_INLINE) return 'serializer';
    return said.inlineCapacity === Math.min(form.keys, MOST_INLINE) ? 'fast' : null;
  }
  return form.onlyNumbers && said.mode === 'ArrayWithContiguous' ? 'fast' : null;
}

/** Receiver's storage of an array of numbers that took a fast path; an empty one costs nothing on all of them. */
const BY_STORAGE: Readonly<Record<string, PathName>> = {
  ArrayWithInt32: 'int32-array',
  ArrayWithDouble: 'double-array',
  ArrayWithContiguous: 'simple-array',
};

function taken(jsc: BunJsc, arrived: Arrived, form: FastPathCost | null, wireBytes: number | null): Took {
  const { cost } = arrived;
  const paths = form?.costs.filter(({ bytes }) => bytes === cost).flatMap((one) => one.paths) ?? [];
  if (form === null || paths.length === 0) return cost === wireBytes ? 'serializer' : null;
  const took = cost === wireBytes ? byReceived(jsc, arrived, form) : 'fast';
  if (took !== 'fast' || paths.length === 1) return took === 'fast' ? paths[0]! : took;
  if (paths.includes('string-shared')) return 'fast';
  return BY_STORAGE[modeOf(jsc, arrived.received) ?? ''] ?? null;
}

/** Above it no two sums of bytes are the same by chance, and asking for each string takes its time. */
const SMALL_BYTES = 65_536;
const fits = (form: FastPathCost, cost: number) => form.costs.some(({ bytes }) => bytes === cost);

/** Narrow text in wide storage makes the fast form dearer, perhaps as dear as the wire: then each string is asked. */
function tookOf(
  jsc: BunJsc,
  arrived: Arrived,
  value: unknown,
  form: FastPathCost | null,
  wireBytes: number | null,
): Took {
  const took = taken(jsc, arrived, form, wireBytes);
  const { cost } = arrived;
  if (form === null || fits(form, cost) || (took !== null && cost > SMALL_BYTES)) return took;
  const exact = fastForm(value, exactWidth(jsc));
  return exact !== null && fits(exact, cost) ? taken(jsc, arrived, exact, wireBytes) : took;
}

interface Outcome {
  path: PathName | null;
  evidence: string;
  at: Confirmation['at'];
}

function outcomeOf(took: Took, watched: Watched, numbers: string): Outcome {
  if (took !== 'fast')
    return { path: took, evidence: numbers, at: took === 'serializer' ? [] : watched.below };
  const shared = watched.root === true ? 'string-shared' : 'string-copied';
  return {
    path: shared,
    evidence: `${numbers}, ${shared === 'string-shared' ? 'one buffer' : 'two buffers'}`,
    at: [],
  };
}

async function asked(jsc: BunJsc, wire: BunWire, value: unknown, shape: Shape): Promise<Confirmed> {
  const watch = sharingWatch(jsc, value, shape);
  const arrived = await wire.post(value);
  const watched = watch(arrived.received);
  // Only now: serializing interns every string it meets.
  const wireBytes = serialized(value)?.byteLength ?? null;
  const form = fastForm(value, widthByContent);
  const took = tookOf(jsc, arrived, value, form, wireBytes);
  const numbers = `message ${arrived.cost} bytes, fast ${form?.costs.map((c) => c.bytes).join(' or ') ?? 'never'}, serialized ${wireBytes ?? 'unknown'}`;
  const outcome = outcomeOf(took, watched, numbers);
  const flat = outcome.path === 'serializer' && form !== null;
  const hidden = flat ? await hiddenIn(jsc, wire, exactWidth(jsc), value) : [];
  return { confirmation: { ...outcome, hidden }, wireBytes, rejected: null };
}

function refused(error: unknown): Confirmed {
  return error instanceof NotDelivered ? notAnswered(error.message) : rejectedWith(error);
}

/** Posts a fresh value to itself. `fresh` may throw; what postMessage throws becomes the path 'rejected'. */
export async function bunOracle(
  jsc: BunJsc,
  fresh: () => Promise<unknown>,
  shape: Shape,
): Promise<Confirmed> {
  const wire = await bunWire(jsc);
  if (wire === null) return notAnswered('the engine does not tell what a message costs');
  try {
    const value = await fresh();
    return await asked(jsc, wire, value, shape).catch(refused);
  } finally {
    wire.close();
  }
}
