/** Calls between two services of workerd. */
import type { ChannelRows } from '../common/row.ts';

export const rpc = {
  rpc: {
    of: ['workerd'],
    ownSteps: true,
    words: 'by RPC of Workers',
    lacking: 'only services of workerd call each other by RPC',
    call: 'await env.SERVICE.run(MESSAGE);',
    receiver: ['export class Service extends WorkerEntrypoint { run(MESSAGE) {', '} }'],
    thrower: 'the call',
  },
} as const satisfies ChannelRows;
