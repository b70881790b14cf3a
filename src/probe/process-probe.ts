/** The probe of a process runtime: Node, Bun, Deno, Electron. */

import { Buffer } from 'node:buffer';
import { deserialize, serialize } from 'node:v8';
import type { Shape } from '../model/documents/shape.ts';
import { type Channel, isOfProcesses, type ProcessRuntime } from '../model/names.ts';
import type { PathBytes } from '../model/wire/wire.ts';
import { bunJsc } from './bun/jsc.ts';
import { directBytes } from './bun/message-cost.ts';
import { bunOracle } from './bun/oracle.ts';
import { bunStorage } from './bun/storage.ts';
import { movedBytes, notAnswered } from './oracle/oracle-result.ts';
import { ipcBytes, serialized } from './oracle/serialized.ts';
import type { RuntimeProbe } from './probe.ts';
import { runningRuntime } from './running-runtime.ts';
import { processTypes } from './type-detection/process-types.ts';
import { v8Natives, v8Oracle } from './v8/oracle.ts';
import { v8MessageBytes } from './v8/posted-bytes.ts';
import { v8Storage } from './v8/storage.ts';
import { stringWidth } from './v8/string-width.ts';

/** See `RuntimeProbe.messageBytes`: the cost of a message that a fast path hands over, and the wire of the serializer. */
function bunMessageBytes(
  value: unknown,
  { patterns }: Shape,
  channel: Channel,
  transfer: readonly unknown[] = [],
): PathBytes[] {
  if (isOfProcesses(channel)) return ipcBytes(value, channel);
  const wire = serialized(value)?.byteLength;
  if (wire === undefined) return [];
  // The serializer writes shared memory in full; a post holds on to it.
  const shared = patterns.reduce((sum, { bytes }) => sum + (bytes?.shared ?? 0), 0);
  return [{ path: 'serializer', bytes: wire - shared - movedBytes(transfer) }, ...directBytes(value)];
}

/** Storage and confirmation of one engine; types and texts are the same in all processes. */
type EngineProbe = Omit<RuntimeProbe, 'engine' | 'types' | 'utf8Bytes'>;

/** Through a file: marks as uncloneable, and what a post does with objects of the platform, do not count. */
const throughFile = (value: unknown): unknown => deserialize(serialize(value));

const node: EngineProbe = {
  // Storage is read with V8's natives, if they can be compiled.
  storage: async (fromJson) => {
    const natives = v8Natives();
    return natives && v8Storage(natives, stringWidth(fromJson));
  },
  confirm: (fresh, shape, channel, fromJson) =>
    v8Oracle(fresh, shape, { fromJson, ...(channel === 'storage' && { clone: throughFile }) }),
  firstBuilds: 1,
  serialized,
  messageBytes: v8MessageBytes,
};

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
  messageBytes: bunMessageBytes,
};

/** Deno passes some primitives without V8 (ext/web/13_message_port.js), which cannot be observed. */
function bypassesV8(value: unknown, channel: Channel): boolean {
  if (typeof value === 'object' && value !== null) return false;
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
 * Web objects as the message itself: structuredClone refuses them, ports and workers of Node from Deno 2.9.2 on, other channels never, as
 * nothing refuses them inside an array. Each throws what the channel throws.
 */
function cloneOn(channel: Channel): (value: unknown) => void {
  if (channel === 'structured-clone') return structuredClone;
  return channel === 'message-port' || channel === 'node-worker'
    ? postOnPort
    : (value) => structuredClone([value]);
}

const deno: EngineProbe = {
  ...node,
  confirm(fresh, shape, channel, fromJson) {
    if (channel === 'storage') return node.confirm(fresh, shape, channel, fromJson);
    const clone = cloneOn(channel);
    return v8Oracle(fresh, shape, { fromJson, bypassesV8: (value) => bypassesV8(value, channel), clone });
  },
};

/** A bridge writes no message. */
const electron: EngineProbe = {
  ...node,
  confirm: async (fresh, shape, channel, fromJson) =>
    channel === 'electron-bridge'
      ? notAnswered('a bridge copies by steps of its own, which nothing reports')
      : node.confirm(fresh, shape, channel, fromJson),
  messageBytes: (value, shape, channel, transfer) =>
    channel === 'electron-bridge' ? [] : v8MessageBytes(value, shape, channel, transfer),
};

const PROBES: Readonly<Record<ProcessRuntime, EngineProbe>> = { node, bun, deno, electron };

export function processProbe(): RuntimeProbe {
  const { name, engine } = runningRuntime();
  return { ...PROBES[name], engine, types: processTypes, utf8Bytes: (text) => Buffer.byteLength(text) };
}
