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
import { filter } from '../../value/read/lists.ts';
import { bunOracle } from './bun-oracle.ts';
import { bunJsc, bunStorage } from './bun-storage.ts';
import { stringWidth } from './in-process-storage.ts';
import { directBytes } from './message-cost.ts';
import { examplesIn, type Fresh, movedBytes, notAnswered, postedFresh, taken } from './oracle-result.ts';
import type { RuntimeProbe } from './probe.ts';
import { processTypes, runningRuntime } from './process.ts';
import { ipcBytes, readTag, serialized, v8MessageBytes } from './serialized.ts';
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

async function confirmByTags(
  value: unknown,
  fresh: Fresh,
  shape: Shape,
  channel: Channel,
  { isDeno, fromJson }: { isDeno: boolean; fromJson: boolean },
): Promise<Confirmation> {
  const root = shape.patterns.find((row) => row.pattern === '$');
  if ((root?.bytes?.total ?? 0) > MAX_BYTES) return notAnswered('too large to serialize only for its tag');
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
  if (isDeno && bypassesV8(value, channel)) return notAnswered('a primitive that Deno may post without V8');
  const tag = readTag(wire);
  const path = rootPath(tag, kind, asObject);
  const evidence = `tag ${JSON.stringify(tag)}${kind === 'object' && path !== null ? ', %HasFastProperties' : ''}`;
  return taken(path, evidence, findExamples(value, shape));
}

type EngineProbe = Omit<RuntimeProbe, 'engine' | 'types' | 'utf8Bytes'>;

const v8Probe = (isDeno: boolean): EngineProbe => ({
  storage: async (fromJson) => {
    const natives = v8Natives();
    return natives && v8Storage(natives, stringWidth(fromJson));
  },
  confirm: (fresh, shape, channel, fromJson = false) =>
    postedFresh(fresh, shape, (value) => confirmByTags(value, fresh, shape, channel, { isDeno, fromJson })),
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
