import { bunJsc } from './bun/jsc.ts';
import { bunOracle } from './bun/oracle.ts';
import { bunStorage } from './bun/storage.ts';
import { notAnswered } from './confirmed.ts';
import type { RuntimeProbe } from './runtime-probe.ts';

export const bunProbe: RuntimeProbe = {
  storage: async () => bunStorage(await bunJsc()),
  async confirm(fresh, shape, channel) {
    // The fast paths are the same on every channel but this one, which has none, and no oracle.
    if (channel === 'ipc') return notAnswered('messages to another process are always serialized');
    return bunOracle(await bunJsc(), fresh, shape);
  },
};
