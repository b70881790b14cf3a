/** The path that Bun took, told by the memory cost of the message and by the storage of the received value. */

import { filter, flatMap, map } from '../../core/value/lists.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import { notAnswered, type OracleResult, rejectedWith, taken } from '../oracle/oracle-result.ts';
import { serialized } from '../oracle/serialized.ts';
import { hiddenObjects } from './hidden-state.ts';
import { type BunJsc, parseObjectText, parseStringText } from './jsc.ts';
import { bytesByContent, type FastPathCost, fastPathCost, type StringBytes } from './message-cost.ts';
import { NotDelivered, openSelfChannel, type ReceivedMessage, type SelfChannel } from './self-channel.ts';
import { watchSharing } from './string-sharing.ts';

/** JSFinalObject::maxInlineCapacity, and what the serializer starts every object with. */
const MAX_INLINE = 62;
const SERIALIZED_INLINE = 6;

type TakenPath = PathName | 'fast' | null;

function storedBytes(jsc: BunJsc): StringBytes {
  return (text) => (parseStringText(jsc.jscDescribe(text))?.narrow ? text.length : 2 * text.length);
}

/** For costs that are equal on both paths: most received values show which path made them. */
function pathByReceived(jsc: BunJsc, { received }: ReceivedMessage, fast: FastPathCost): TakenPath {
  const object = parseObjectText(jsc.jscDescribe(received));
  if (object === null) return null;
  if (fast.keys >= 0 && fast.keys !== SERIALIZED_INLINE) {
    if (object.inlineCapacity === SERIALIZED_INLINE) return 'serializer';
    return object.inlineCapacity === Math.min(fast.keys, MAX_INLINE) ? 'fast' : null;
  }
  return fast.onlyNumbers && object.mode === 'ArrayWithContiguous' ? 'fast' : null;
}

/** Storage of a received array of numbers that took a fast path; an empty one costs nothing on all of them. */
const BY_STORAGE: Readonly<Record<string, PathName>> = {
  ArrayWithInt32: 'int32-array',
  ArrayWithDouble: 'double-array',
  ArrayWithContiguous: 'simple-array',
};

function pathByCost(
  jsc: BunJsc,
  message: ReceivedMessage,
  fast: FastPathCost | null,
  wireBytes: number | null,
): TakenPath {
  const { cost } = message;
  const fitting = filter(fast?.costs ?? [], ({ bytes }) => bytes === cost);
  const paths = flatMap(fitting, (one) => one.paths);
  if (fast === null || paths.length === 0) return cost === wireBytes ? 'serializer' : null;
  const taken = cost === wireBytes ? pathByReceived(jsc, message, fast) : 'fast';
  if (taken !== 'fast') return taken;
  if (paths.length === 1) return paths[0]!;
  if (paths.includes('string-shared')) return 'fast';
  return BY_STORAGE[parseObjectText(jsc.jscDescribe(message.received))?.mode ?? ''] ?? null;
}

/** Above it, equal sums are no coincidence, and reading how each string is stored takes too long. */
const SMALL_BYTES = 65_536;
const fits = (fast: FastPathCost, cost: number) => fast.costs.some(({ bytes }) => bytes === cost);

/** Narrow text in wide storage costs more on the fast path, perhaps as much as the wire: then storage decides. */
function takenPath(
  jsc: BunJsc,
  message: ReceivedMessage,
  value: unknown,
  fast: FastPathCost | null,
  wireBytes: number | null,
): TakenPath {
  const taken = pathByCost(jsc, message, fast, wireBytes);
  const { cost } = message;
  if (fast === null || fits(fast, cost) || (taken !== null && cost > SMALL_BYTES)) return taken;
  const exact = fastPathCost(value, storedBytes(jsc));
  return exact !== null && fits(exact, cost) ? pathByCost(jsc, message, exact, wireBytes) : taken;
}

async function confirmByPost(
  jsc: BunJsc,
  channel: SelfChannel,
  value: unknown,
  shape: Shape,
): Promise<OracleResult> {
  const sharedWith = watchSharing(jsc, value, shape);
  const message = await channel.post(value);
  const shared = sharedWith(message.received);
  // Not earlier: the serializer turns every string into an atom.
  const wireBytes = serialized(value)?.byteLength ?? null;
  // Versions differ in the roots that they have a fast path for.
  const isObject = typeof value === 'object' && value !== null;
  const hasFastPath = !isObject || (Array.isArray(value) ? channel.fastArrays : channel.fastObjects);
  const fast = hasFastPath ? fastPathCost(value, bytesByContent) : null;
  const path = takenPath(jsc, message, value, fast, wireBytes);
  const fastBytes = fast === null ? 'never' : map(fast.costs, ({ bytes }) => bytes).join(' or ');
  const costs = `message ${message.cost} bytes, fast ${fastBytes}, serialized ${wireBytes ?? 'unknown'}`;
  if (path === 'fast')
    return shared.root === true
      ? taken('string-shared', `${costs}, one buffer`, [])
      : taken('string-copied', `${costs}, two buffers`, []);
  if (path !== 'serializer') return taken(path, costs, shared.below);
  const hidden = await hiddenObjects(jsc, channel, storedBytes(jsc), value, fast !== null);
  return taken(path, costs, [], hidden);
}

/** Posts a fresh value to this thread. Throws what `fresh` throws; an error of postMessage becomes the path 'rejected'. */
export const bunOracle = (jsc: BunJsc, fresh: () => Promise<unknown>, shape: Shape): Promise<OracleResult> =>
  askByPost(jsc, fresh, shape).catch((error: unknown) => {
    if (error instanceof NotDelivered) return notAnswered(error.message);
    throw error;
  });

async function askByPost(jsc: BunJsc, fresh: () => Promise<unknown>, shape: Shape): Promise<OracleResult> {
  const channel = await openSelfChannel(jsc);
  if (channel === null) return notAnswered('the engine does not report the cost of a message');
  try {
    const value = await fresh();
    return await confirmByPost(jsc, channel, value, shape).catch((error: unknown) => {
      if (error instanceof NotDelivered) throw error;
      return rejectedWith(error, value, shape);
    });
  } finally {
    channel.close();
  }
}
