import { v8Natives } from './natives/natives.ts';
import { JSON_ANSWER } from './oracle/oracle-result.ts';
import { serialized } from './oracle/serialized.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { v8Oracle } from './v8/oracle.ts';
import { v8MessageBytes } from './v8/posted-bytes.ts';
import { v8Storage } from './v8/storage.ts';

/** By V8's natives, where they can be compiled. */
export const storageByNatives: RuntimeProbe['storage'] = async (fromJson) => {
  const natives = v8Natives();
  return natives === null ? null : v8Storage(natives, fromJson);
};

export const nodeProbe: RuntimeProbe = {
  storage: storageByNatives,
  confirm: async (fresh, shape, channel, fromJson) =>
    channel === 'ipc-json' ? JSON_ANSWER : v8Oracle(fresh, shape, { fromJson }),
  firstBuilds: 1,
  serialized,
  messageBytes: v8MessageBytes,
};
