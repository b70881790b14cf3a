/** The probe of a process runtime: Node, Bun, Deno, Electron. */

import { Buffer } from 'node:buffer';
import { deserialize, serialize } from 'node:v8';
import { type Channel, isOfProcesses, type ProcessRuntime } from '../../model/names.ts';
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

/** Storage, confirmation and messages in one process; types, texts and messages to others are the same for all. */
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

const PROBES: Readonly<Record<ProcessRuntime, EngineProbe>> = { node, bun, deno, electron: node };

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
