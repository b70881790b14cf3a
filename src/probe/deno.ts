import type { Channel } from '../model/names.ts';
import { storageByNatives } from './node.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { serialized } from './serialized.ts';
import { v8Oracle } from './v8/oracle.ts';

/** Deno passes some primitives without V8 (ext/web/13_message_port.js), which cannot be observed. */
function bypassesV8(value: unknown, channel: Channel): boolean {
  if (typeof value === 'object' && value !== null) return false;
  if (channel === 'structured-clone') return true;
  return typeof value !== 'string' || value.length <= 128;
}

export const denoProbe: RuntimeProbe = {
  storage: storageByNatives,
  confirm: (fresh, shape, channel) => v8Oracle(fresh, shape, (value) => bypassesV8(value, channel)),
  serialized,
};
