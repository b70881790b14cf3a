/** A process and its child, `process.send`. */
import { AS_JSON, type ChannelRow, type ChannelRows, PROCESSES } from '../common/row.ts';

const NO_CHILD = 'this runtime has no child process with process.send';
const TO_CHILD = {
  of: PROCESSES,
  elsewhere: true,
  thrower: 'process.send',
  call: 'child.send(MESSAGE); // in the child: process.send',
} as const satisfies Partial<ChannelRow>;

export const ipc = {
  'ipc-json': { ...TO_CHILD, ...AS_JSON, words: 'to a process, as JSON text', lacking: NO_CHILD },
  'ipc-advanced': {
    ...TO_CHILD,
    words: "to a process, serialization: 'advanced'",
    lacking: `${NO_CHILD} and advanced serialization`,
  },
} as const satisfies ChannelRows;
