/** `structuredClone`, in one thread. */
import { ALL, type ChannelRows } from '../common/row.ts';

export const structuredClone = {
  'structured-clone': {
    of: [...ALL, 'workerd'],
    moves: true,
    local: 'call',
    cloned: 'within',
    words: 'by structuredClone',
    call: 'const copied = structuredClone(MESSAGE[, { transfer: LIST }]);',
    taken: 'const copy = <copied>;',
    thrower: 'structuredClone',
  },
} as const satisfies ChannelRows;
