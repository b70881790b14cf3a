/**
 * The probe of a process runtime: Node, Bun, Deno, Electron. The path that V8 takes is known by the tags that its
 * ValueSerializer writes (src/objects/value-serializer.cc, SerializationTag).
 */

import { Buffer } from 'node:buffer';
import { deserialize, serialize, setFlagsFromString } from 'node:v8';
import type { Shape } from '../../model/documents/shape.ts';
import { type Channel, isOfProcesses, type PathName, type ProcessRuntime } from '../../model/names.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { readLength } from '../../value/read/intrinsics.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { ownData } from '../../value/read/own-data.ts';
import {
  type BunJsc,
  bunJsc,
  bunStorage,
  parseObjectText,
  parseStringText,
  watchSharing,
} from './bun-storage.ts';
import { bytesByContent, directBytes, fastPathCosts, type StringBytes } from './message-cost.ts';
import { examplesIn, type Fresh, movedBytes, notAnswered, postedFresh, taken } from './oracle-result.ts';
import { NotDelivered, postHere } from './post-here.ts';
import type { RuntimeProbe } from './probe.ts';
import { processTypes, runningRuntime } from './process.ts';
import { ipcBytes, readTag, serialized, stringWidth, v8MessageBytes } from './process-serializer.ts';
import { typeDetection } from './type-detection.ts';
import { compiledNatives, type Natives, objectPath, v8Storage } from './v8-storage.ts';

/** Flags are reset at once: the compiled functions work afterwards. Null if V8 does not compile them. */
export function v8Natives(): Natives | null {
  // Electron crashes if flags change after its start, so it is started with these flags.
  if (runningRuntime().name === 'electron') return compiledNatives();
  // The collector drops the bytecode of functions that were not called for a while; parsing them again would fail.
  setFlagsFromString('--no-flush-bytecode');
  setFlagsFromString('--allow-natives-syntax');
  try {
    return compiledNatives();
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** 'o' is missing because it is both kinds of object, which only natives tell apart. */
const TAGS: Readonly<Record<string, PathName>> = {
  A: 'packed-array',
  a: 'holey-array',
  '"': 'one-byte-string',
  c: 'two-byte-string',
  B: 'buffer',
  '~': 'buffer',
};
const SCALARS = '_0TFIUNZ';

const pathOfTag = (tag: string): PathName | null => (SCALARS.includes(tag) ? 'scalar' : (TAGS[tag] ?? null));

/** Examples are serialized to see their tags, so there are fewer of a larger payload: this many nodes in all. */
const MAX_NODES = 200_000;
const MAX_EXAMPLES = 200;
/** Limit for a text. */
const MAX_UNITS = 2 ** 20;
/** Limit for a root string or buffer. */
const MAX_BYTES = 64 * 2 ** 20;

function findExamples(value: unknown, shape: Shape): Confirmation['examples'] {
  const rows = filter(
    shape.patterns,
    ({ depth, kind, size }) =>
      depth > 0 && (kind === 'array' || (kind === 'string' && (size?.max ?? 0) <= MAX_UNITS)),
  );
  const most = Math.min(MAX_EXAMPLES, MAX_NODES / shape.nodes);
  return examplesIn(value, rows.slice(0, most), (example, { kind }) => pathByWire(example, kind));
}

function pathByWire(value: unknown, kind: Kind): PathName | null {
  if (kind === 'array' ? !Array.isArray(value) : typeof value !== 'string') return null;
  // null when something inside cannot be cloned, which the root's result reports.
  const wire = serialized(value);
  return wire && pathOfTag(readTag(wire));
}

function rootPath(tag: string, kind: Kind | undefined, asObject: PathName | null): PathName | null {
  if (kind === 'object' && tag === 'o') return asObject;
  // Node and Deno write views through their delegate (`\`) here, and through V8 when posting.
  if (kind === 'typedarray' || kind === 'dataview') return tag === '\\' || tag === 'V' ? 'buffer' : null;
  return pathOfTag(tag) ?? 'serializer';
}

type EngineProbe = Omit<RuntimeProbe, 'engine' | 'types' | 'utf8Bytes'>;

const v8Probe = (isDeno: boolean): EngineProbe => ({
  storage: async (fromJson) => {
    const natives = v8Natives();
    return natives && v8Storage(natives, stringWidth(fromJson));
  },
  // By the tags of its wire.
  confirm: (fresh, shape, channel, fromJson = false) =>
    postedFresh(fresh, shape, async (value) => {
      const root = shape.patterns.find((row) => row.pattern === '$');
      if ((root?.bytes?.total ?? 0) > MAX_BYTES)
        return notAnswered('too large to serialize only for its tag');
      const kind = root?.kind;
      // Before it is cloned, which on Deno 2.9 sometimes changes how an object is stored that is a prototype.
      const natives = kind === 'object' ? v8Natives() : null;
      const asObject = natives && objectPath(value as object, natives);
      const wire = serialized(value);
      const clone = cloneOn(channel, isDeno);
      // Getters that ran before it was refused may have changed it.
      if (wire === null) clone(await fresh());
      // v8.serialize and a post may treat a value of code differently, and nothing shows one that is marked as uncloneable.
      else if (!fromJson) clone(value);
      if (wire === null) return notAnswered('v8.serialize refuses it, postMessage does not');
      if (isDeno && bypassesV8(value, channel))
        return notAnswered('a primitive that Deno may post without V8');
      const tag = readTag(wire);
      const path = rootPath(tag, kind, asObject);
      const evidence = `tag ${JSON.stringify(tag)}${kind === 'object' && path !== null ? ', %HasFastProperties' : ''}`;
      return taken(path, evidence, findExamples(value, shape));
    }),
  serialized,
  messageBytes: v8MessageBytes,
});

const bun: EngineProbe = {
  storage: async (fromJson) => {
    const jsc = await bunJsc();
    return jsc && bunStorage(jsc, fromJson);
  },
  async confirm(fresh, shape, channel) {
    if (isOfProcesses(channel))
      return notAnswered('messages to another process, and files, are always serialized');
    const jsc = await bunJsc();
    return jsc
      ? bunOracle(jsc, fresh, shape)
      : notAnswered('this version does not report the cost of a message');
  },
  firstBuilds: 2,
  serialized,
  // The cost of a message that a fast path hands over, and the wire of the serializer.
  messageBytes(value, { patterns }, _, transfer = []) {
    const wire = serialized(value)?.byteLength;
    if (wire === undefined) return [];
    // The serializer writes shared memory in full; a post holds on to it.
    const shared = patterns.reduce((sum, { bytes }) => sum + (bytes?.shared ?? 0), 0);
    return [{ path: 'serializer', bytes: wire - shared - movedBytes(transfer) }, ...directBytes(value)];
  },
};

/** Deno passes some primitives without V8 (ext/web/13_message_port.js), which cannot be observed. */
function bypassesV8(value: unknown, channel: Channel): boolean {
  if (channel === 'storage' || (typeof value === 'object' && value !== null)) return false;
  return channel === 'structured-clone' || typeof value !== 'string' || value.length <= 128;
}

function postOnPort(value: unknown): void {
  const { port1, port2 } = new MessageChannel();
  try {
    port1.postMessage(value);
  } finally {
    port1.close();
    port2.close();
  }
}

/**
 * Web objects as the message itself: structuredClone of Deno refuses them, ports and workers of Node from Deno 2.9.2
 * on, other channels never, as nothing refuses them inside an array.
 */
function cloneOn(channel: Channel, isDeno: boolean): (value: unknown) => void {
  // Marks as uncloneable, and what a post does with objects of the platform, do not count in a file.
  if (channel === 'storage') return (value) => deserialize(serialize(value));
  if (!isDeno || channel === 'structured-clone') return structuredClone;
  return channel === 'message-port' || channel === 'node-worker'
    ? postOnPort
    : (value) => structuredClone([value]);
}

const PROBES: Readonly<Record<ProcessRuntime, EngineProbe>> = {
  node: v8Probe(false),
  bun,
  deno: v8Probe(true),
  electron: v8Probe(false),
};

export function processProbe(): RuntimeProbe {
  const { name, engine } = runningRuntime();
  const own = PROBES[name];
  return {
    ...{ ...own, engine, types: processTypes, utf8Bytes: (text) => Buffer.byteLength(text) },
    messageBytes: (value, shape, channel, transfer) =>
      isOfProcesses(channel)
        ? ipcBytes(value, channel, name === 'deno')
        : own.messageBytes(value, shape, channel, transfer),
  };
}

// The path that Bun took, known from the memory cost of the message and from the storage of the received value.

/** A message in the same thread arrives within microseconds; an engine may stop delivering altogether. */
const TIMEOUT_MS = 10_000;
/** Wire of `undefined`: version and one tag. */
const UNDEFINED_BYTES = 5;
/** Wire of `{ a: {} }`, which every version serializes: 9 bytes a container, 6 for the key and its index. */
const NESTED_BYTES = 19;

/** `cost` is SerializedScriptValue::memoryCost, in bytes. */
type ReceivedMessage = { cost: number; received: unknown };

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
  /** Rejects with what postMessage throws (DataCloneError, or an error of a getter). */
  const post = async (value: unknown): Promise<ReceivedMessage> => {
    const { cost, received } = await estimated(value);
    return { cost: cost - base, received };
  };
  const slow = await post({ a: {} });
  if (!(base > 0) || slow.cost !== NESTED_BYTES) return null;
  const isFast = async (value: unknown): Promise<boolean> => {
    const costs = map([bytesByContent, stored], (bytes) => fastPathCosts(value, bytes)?.[0]?.bytes);
    return costs.includes((await post(value)).cost);
  };
  const fastObjects = await isFast({ a: 1 });
  // Up to Bun 1.4.0 a literal here may be born in slow storage, once frozen arrays were seen.
  const fastArrays = await isFast(JSON.parse('[{"a":1}]'));
  return { jsc, stored, post, isFast, fastObjects, fastArrays };
}

/** Storage of a received array of numbers that took a fast path; an empty one costs nothing on all of them. */
const BY_STORAGE: Readonly<Record<string, PathName>> = {
  ArrayWithInt32: 'int32-array',
  ArrayWithDouble: 'double-array',
  ArrayWithContiguous: 'simple-array',
};

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
  /** Null if the cost fits neither, or both. */
  const pathByCost = (): PathName | null => {
    const paths = [...new Set(flatMap(fast, (one) => (one.bytes === message.cost ? one.paths : [])))];
    if (paths.length === 0) return message.cost === wireBytes ? 'serializer' : null;
    if (message.cost === wireBytes) return null;
    if (paths.length === 1) return paths[0]!;
    // Of a text as the root, its own path is the first.
    if (paths.includes('string-shared')) return texts[0]?.path ?? 'string-copied';
    return BY_STORAGE[parseObjectText(channel.jsc.jscDescribe(message.received))?.mode ?? ''] ?? null;
  };
  const path = pathByCost();
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

/** Halves a group until each slow object stands alone. */
async function slowObjects({ isFast }: SelfChannel, suspects: Suspect[]): Promise<Suspect[]> {
  const found: Suspect[] = [];
  const groups = [suspects];
  for (let posts = 0; groups.length > 0 && posts < MAX_POSTS && found.length < MAX_FOUND; posts++) {
    const group = groups.pop()!;
    const values = map(group, ({ value }) => value);
    if (await isFast(values)) continue;
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
