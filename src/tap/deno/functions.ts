/** Functions of Deno that post and receive. */
import { HEADER } from '../../core/recording/threads/counters.ts';
import type { PortChannels } from '../channels/port-channels.ts';
import type { Posting } from '../channels/posting.ts';
import type { Receipts } from '../channels/receipts.ts';
import { replace } from '../channels/replace.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { workerThreads } from '../node/builtins.ts';
import { apply, Weak, weakGet, weakSet } from '../realm/intrinsics.ts';
import { WebWorker } from '../realm/web-globals.ts';
import { watchEmit } from './receipts.ts';
import type { WorkerStart } from './wrapper.ts';

/** From a worker to the thread that started it. */
export function recordParent({ kind }: WorkerStart, posting: Posting, fields: Float64Array): void {
  const { upSent: sent, upReceived: received, upQueueMax: max } = HEADER;
  const isPort = kind === 'node';
  // Where the memory is not shared, nobody counts what the parent receives.
  const queue = fields[HEADER.shared] === 1 ? { fields, sent, received, max } : null;
  const api = isPort ? 'parentPort.postMessage' : 'self.postMessage';
  const channel: CountedChannel = { api, to: 'parent', queue, buckets: [] };
  const { parentPort } = workerThreads;
  // Deno has a port of its own here from 2.6 on; before, it is the global object.
  if (isPort && parentPort !== null && (parentPort as unknown) !== globalThis)
    posting.watch(parentPort, 'postMessage', { channelOf: () => channel });
  posting.watch(globalThis, 'postMessage', { channelOf: () => channel });
}

interface Patches {
  recorder: Recorder;
  posting: Posting;
  channels: PortChannels;
  receipts: Receipts;
}

export function recordPosting({ recorder, posting, channels, receipts }: Patches): void {
  const clone: CountedChannel = { api: 'structuredClone', to: null, queue: null, buckets: [] };
  const news: CountedChannel = { api: 'BroadcastChannel.postMessage', to: null, queue: null, buckets: [] };
  const lost: CountedChannel = { api: 'Worker.postMessage', to: 'worker ', queue: null, buckets: [] };
  const toWorker = (worker: object): CountedChannel => {
    const known = channels.known(worker);
    if (known != null) return known;
    // Up to Deno 2.8 an import by name cannot be replaced.
    recorder.log.add({
      record: 'gap',
      what: 'a worker that was started by an import of node:worker_threads',
    });
    channels.know(worker, lost);
    return lost;
  };
  posting.watch(globalThis, 'structuredClone', { channelOf: () => clone });
  const { BroadcastChannel: web } = globalThis as { BroadcastChannel?: { prototype: object } };
  const { BroadcastChannel: node } = workerThreads;
  if (web !== undefined) posting.watch(web.prototype, 'postMessage', { channelOf: () => news });
  if (node !== web) posting.watch(node.prototype, 'postMessage', { channelOf: () => news });
  posting.watch(MessagePort.prototype, 'postMessage', {
    channelOf: (port, patch) => channels.of(port, patch),
  });
  posting.watch(WebWorker.prototype, 'postMessage', { channelOf: toWorker });
  posting.watch(workerThreads.Worker.prototype, 'postMessage', { channelOf: toWorker });
  replace(workerThreads, 'receiveMessageOnPort', (original, receiver, args) => {
    const result = apply(original, receiver, args);
    if (result !== undefined) receipts.arrived(args[0] as object);
    return result;
  });
  // The first is that it is online.
  const online = new Weak<object, true>();
  watchEmit((worker) => {
    if (!receipts.knows(worker)) return;
    if (weakGet(online, worker)) receipts.arrived(worker);
    else weakSet(online, worker, true);
  });
}
