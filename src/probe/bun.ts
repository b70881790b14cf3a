import { isIpc } from '../model/names.ts';
import { bunJsc } from './bun/jsc.ts';
import { bunMessageBytes } from './bun/message-bytes.ts';
import { bunOracle } from './bun/oracle.ts';
import { bunStorage } from './bun/storage.ts';
import { JSON_ANSWER, notAnswered } from './oracle/oracle-result.ts';
import { serialized } from './oracle/serialized.ts';
import type { RuntimeProbe } from './runtime-probe.ts';

export const bunProbe: RuntimeProbe = {
  storage: async (fromJson) => {
    const jsc = await bunJsc();
    return jsc && bunStorage(jsc, fromJson);
  },
  async confirm(fresh, shape, channel) {
    // All other channels have the same fast paths; this one has none, and no oracle.
    if (channel === 'ipc-json') return JSON_ANSWER;
    if (isIpc(channel)) return notAnswered('messages to another process are always serialized');
    const jsc = await bunJsc();
    return jsc
      ? bunOracle(jsc, fresh, shape)
      : notAnswered('this version does not report the cost of a message');
  },
  firstBuilds: 2,
  serialized,
  messageBytes: bunMessageBytes,
};
