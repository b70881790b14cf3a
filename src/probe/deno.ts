import type { Channel } from '../model/names.ts';
import { storageByNatives } from './node.ts';
import { JSON_ANSWER } from './oracle/oracle-result.ts';
import { serialized } from './oracle/serialized.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { v8Oracle } from './v8/oracle.ts';
import { v8MessageBytes } from './v8/posted-bytes.ts';

/** Deno passes some primitives without V8 (ext/web/13_message_port.js), which cannot be observed. */
function bypassesV8(value: unknown, channel: Channel): boolean {
  if (typeof value === 'object' && value !== null) return false;
  if (channel === 'structured-clone') return true;
  return typeof value !== 'string' || value.length <= 128;
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

export const denoProbe: RuntimeProbe = {
  storage: storageByNatives,
  confirm: async (fresh, shape, channel, fromJson) =>
    channel === 'ipc-json'
      ? JSON_ANSWER
      : v8Oracle(fresh, shape, {
          fromJson,
          bypassesV8: (value) => bypassesV8(value, channel),
          clone: cloneOn(channel),
        }),
  firstBuilds: 1,
  serialized,
  messageBytes: v8MessageBytes,
};
