/** The path that Bun took, known from the memory cost of the message and from the storage of the received value. */

import type { Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { readLength } from '../../value/read/intrinsics.ts';
import { flatMap, map } from '../../value/read/lists.ts';
import { ownData } from '../../value/read/own-data.ts';
import { type BunJsc, parseObjectText, parseStringText, watchSharing } from './bun-storage.ts';
import { bytesByContent, type FastPathCosts, fastPathCosts, type StringBytes } from './message-cost.ts';
import { type Fresh, notAnswered, postedFresh, taken } from './oracle-result.ts';
import { NotDelivered, postHere } from './post-here.ts';
import { serialized } from './serialized.ts';
import { typeDetection } from './type-detection.ts';

/** A message in the same thread arrives within microseconds; an engine may stop delivering altogether. */
const TIMEOUT_MS = 10_000;
/** Wire of `undefined`: version and one tag. */
const UNDEFINED_BYTES = 5;
/** Wire of `{ a: {} }`, which every version serializes: 9 bytes a container, 6 for the key and its index. */
const NESTED_BYTES = 19;

/** `cost` is SerializedScriptValue::memoryCost, in bytes. */
type ReceivedMessage = { cost: number; received: unknown };

interface PostedHere {
  stored: StringBytes;
  /** Rejects with what postMessage throws (DataCloneError, or an error of a getter). */
  post(value: unknown): Promise<ReceivedMessage>;
}

type SelfChannel = NonNullable<Awaited<ReturnType<typeof openSelfChannel>>>;

/** Returns null if the estimates do not match Bun 1.2.20 to 1.4.5: then no path can be confirmed. */
async function openSelfChannel(jsc: BunJsc) {
  // The event retains the message: its estimate is its own size plus the cost of the message.
  const estimated = (value: unknown): Promise<ReceivedMessage> =>
    postHere(
      value,
      [],
      (event) => ({ cost: jsc.estimateShallowMemoryUsageOf(event), received: event.data }),
      TIMEOUT_MS,
    );
  const stored: StringBytes = (text) =>
    parseStringText(jsc.jscDescribe(text))?.narrow ? text.length : 2 * text.length;
  const base = (await estimated(undefined)).cost - UNDEFINED_BYTES;
  const post = async (value: unknown): Promise<ReceivedMessage> => {
    const { cost, received } = await estimated(value);
    return { cost: cost - base, received };
  };
  const slow = await post({ a: {} });
  if (!(base > 0) || slow.cost !== NESTED_BYTES) return null;
  return {
    jsc,
    stored,
    post,
    fastObjects: await isFast({ post, stored }, { a: 1 }),
    // Up to Bun 1.4.0 a literal here may be born in slow storage, once frozen arrays were seen.
    fastArrays: await isFast({ post, stored }, JSON.parse('[{"a":1}]')),
  };
}

/** Storage of a received array of numbers that took a fast path; an empty one costs nothing on all of them. */
const BY_STORAGE: Readonly<Record<string, PathName>> = {
  ArrayWithInt32: 'int32-array',
  ArrayWithDouble: 'double-array',
  ArrayWithContiguous: 'simple-array',
};

/** null if the cost fits neither, or both. @param texts what became of its long texts, of a text as the root first */
function pathByCost(
  jsc: BunJsc,
  { cost, received }: ReceivedMessage,
  fast: FastPathCosts,
  wireBytes: number | null,
  texts: Confirmation['examples'],
): PathName | null {
  const paths = [...new Set(flatMap(fast, (one) => (one.bytes === cost ? one.paths : [])))];
  if (paths.length === 0) return cost === wireBytes ? 'serializer' : null;
  if (cost === wireBytes) return null;
  if (paths.length === 1) return paths[0]!;
  if (paths.includes('string-shared')) return texts[0]?.path ?? 'string-copied';
  return BY_STORAGE[parseObjectText(jsc.jscDescribe(received))?.mode ?? ''] ?? null;
}

/** Maximum of values if the storage of each string is queried, which takes microseconds. */
const MAX_ASKED = 10_000;

async function confirmByPost(channel: SelfChannel, value: unknown, shape: Shape): Promise<Confirmation> {
  const sharedWith = watchSharing(channel.jsc, value, shape);
  const message = await channel.post(value);
  const texts = sharedWith(message.received);
  // This must not run earlier, because the serializer turns every string into an atom.
  const wireBytes = serialized(value)?.byteLength ?? null;
  // Versions differ in the roots that they have a fast path for.
  const isObject = typeof value === 'object' && value !== null;
  const hasFastPath = !isObject || (Array.isArray(value) ? channel.fastArrays : channel.fastObjects);
  // Narrow text in wide storage costs more.
  const widths = shape.nodes > MAX_ASKED ? [bytesByContent] : [bytesByContent, channel.stored];
  const fast = flatMap(hasFastPath ? widths : [], (width) => fastPathCosts(value, width) ?? []);
  const path = pathByCost(channel.jsc, message, fast, wireBytes, texts);
  const fastBytes = fast.length === 0 ? 'never' : map(fast, ({ bytes }) => bytes).join(' or ');
  const costs = `message ${message.cost} bytes, fast ${fastBytes}, serialized ${wireBytes ?? 'unknown'}`;
  if (path !== 'serializer') return taken(path, costs, texts);
  const hidden = fast.length === 0 ? [] : await hiddenObjects(channel, value);
  return taken(path, costs, [], hidden);
}

/** Posts a fresh value to this thread. Throws what `fresh` throws. */
export async function bunOracle(jsc: BunJsc, fresh: Fresh, shape: Shape): Promise<Confirmation> {
  try {
    // Tried before the value is built, which is posted at once: an error here is no refusal of the value.
    const channel = await openSelfChannel(jsc);
    if (channel === null) return notAnswered('the engine does not report the cost of a message');
    return await postedFresh(fresh, shape, (value) => confirmByPost(channel, value, shape));
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error;
    return notAnswered('Bun accepted a message to its own thread and did not deliver it');
  }
}

// Finds flat objects that reflection cannot tell from fast ones: a property was deleted, or they have #private members.

const MAX_FOUND = 64;
const MAX_POSTS = 600;

/** Nothing observable keeps it off the fast path. */
function looksFast(jsc: BunJsc, value: unknown): value is object {
  if (typeof value !== 'object' || value === null || typeDetection().isProxy(value)) return false;
  if (Array.isArray(value) || typeDetection().of(value).kind !== 'object') return false;
  const keys = Reflect.ownKeys(value);
  const plain = keys.every((key) => {
    const { enumerable, configurable, writable } = Reflect.getOwnPropertyDescriptor(value, key)!;
    return typeof key === 'string' && enumerable === true && configurable === true && writable !== undefined;
  });
  const object = plain ? parseObjectText(jsc.jscDescribe(value)) : null;
  if (object === null) return false;
  // By the standard, an object without properties is frozen as soon as it is not extensible; JSC's storage stays.
  const isVacuous = keys.length === 0 && object.transition === 'PreventExtensions';
  if (Object.isFrozen(value) && !isVacuous) return false;
  return object.mode === 'NonArray' && !object.uncacheable && !object.polyProto;
}

type Suspect = { index: number; value: object };

/** An array with the same object twice is serialized because of its identity alone. */
function suspectsIn(jsc: BunJsc, elements: readonly unknown[]): Suspect[] {
  const seen = new Set<object>();
  const suspects: Suspect[] = [];
  const length = readLength(elements);
  for (let index = 0; index < length; index++) {
    const value = ownData(elements, index);
    if (!looksFast(jsc, value) || seen.has(value)) continue;
    seen.add(value);
    suspects.push({ index, value });
  }
  return suspects;
}

async function isFast({ post, stored }: PostedHere, value: unknown): Promise<boolean> {
  const costs = map([bytesByContent, stored], (bytes) => fastPathCosts(value, bytes)?.[0]?.bytes);
  return costs.includes((await post(value)).cost);
}

/** Halves a group until each slow object stands alone. */
async function slowObjects(channel: SelfChannel, suspects: Suspect[]): Promise<Suspect[]> {
  const found: Suspect[] = [];
  const groups = [suspects];
  for (let posts = 0; groups.length > 0 && posts < MAX_POSTS && found.length < MAX_FOUND; posts++) {
    const group = groups.pop()!;
    const values = map(group, ({ value }) => value);
    if (await isFast(channel, values)) continue;
    if (group.length === 1) found.push(group[0]!);
    else groups.push(group.slice(group.length >> 1), group.slice(0, group.length >> 1));
  }
  return found;
}

/** @param value a flat object, or an array of them, that was serialized */
async function hiddenObjects(channel: SelfChannel, value: unknown): Promise<string[]> {
  if (!Array.isArray(value)) return looksFast(channel.jsc, value) ? ['$'] : [];
  const suspects = suspectsIn(channel.jsc, value);
  const slow = suspects.length === 0 ? [] : await slowObjects(channel, suspects);
  return map(slow, ({ index }) => `$[${index}]`);
}
