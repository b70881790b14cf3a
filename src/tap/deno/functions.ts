/** Functions of Deno that post and receive. */
import { HEADER } from '../../core/recording/threads/counters.ts';
import { type Ports, patchReceiving, type Receiver } from '../channels/ports.ts';
import type { Posting } from '../channels/posting.ts';
import { WebWorker } from '../channels/workers.ts';
import { type CountedChannel, channelTo, queueIn } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { workerThreads } from '../node/builtins.ts';
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  setData,
  Weak,
  weakGet,
  weakSet,
} from '../realm/intrinsics.ts';
import type { WorkerStart } from './wrapper.ts';

/** From a worker to the thread that started it. */
export function recordParent({ kind }: WorkerStart, posting: Posting, fields: Float64Array): void {
  const isPort = kind === 'node';
  // Where the memory is not shared, nobody counts what the parent receives.
  const queue = fields[HEADER.shared] === 1 ? queueIn(fields, 'up') : null;
  const channel = channelTo('parent', isPort ? 'parentPort.postMessage' : 'self.postMessage', queue);
  const { parentPort } = workerThreads;
  // Deno has a port of its own here from 2.6 on; before, it is the global object.
  if (isPort && parentPort !== null && (parentPort as unknown) !== globalThis)
    posting.watch(parentPort, 'postMessage', () => channel);
  posting.watch(globalThis, 'postMessage', () => channel);
}

export function recordPosting(recorder: Recorder, posting: Posting, ports: Ports): void {
  const clone = channelTo(null, 'structuredClone');
  const news = channelTo(null, 'BroadcastChannel.postMessage');
  const lost = channelTo('worker ', 'Worker.postMessage');
  const toWorker = (worker: object): CountedChannel => {
    const known = ports.known(worker);
    if (known != null) return known;
    // Up to Deno 2.8 an import by name cannot be replaced.
    recorder.log.gap('a worker that was started by an import of node:worker_threads');
    ports.know(worker, lost, null);
    return lost;
  };
  posting.watch(globalThis, 'structuredClone', () => clone);
  const { BroadcastChannel: web } = globalThis as { BroadcastChannel?: { prototype: object } };
  const { BroadcastChannel: node } = workerThreads;
  if (web !== undefined) posting.watch(web.prototype, 'postMessage', () => news);
  if (node !== web) posting.watch(node.prototype, 'postMessage', () => news);
  posting.watch(MessagePort.prototype, 'postMessage', (port, patch) => ports.channelOf(port, patch));
  posting.watch(WebWorker.prototype, 'postMessage', toWorker);
  posting.watch(workerThreads.Worker.prototype, 'postMessage', toWorker);
  patchReceiving(workerThreads, ports);
  // The first is that it is online.
  const online = new Weak<object, true>();
  watchEmit((worker) => {
    if (!ports.receives(worker)) return;
    if (weakGet(online, worker)) ports.arrived(worker);
    else weakSet(online, worker, true);
  });
}

const { prototype: messagePort } = MessagePort;

/**
 * Counts what is received by what Deno's own code does for each message, which leaves no frame on the stacks of handlers: it makes
 * an event with the data as a property of its own, then asks a port or worker for dispatchEvent; events for the global object of a
 * worker it dispatches without asking. A worker of node:worker_threads is asked for `emit`.
 *
 * @param fromParent counts what arrives at the global object of a worker
 */
export function watchReceived(ports: Ports, fromParent: Receiver | null): void {
  let isMade = false;
  defineProperty(MessageEvent.prototype, 'data', {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(this: object, value: unknown) {
      isMade = true;
      arrivedAt(fromParent, 1);
      setData(this, 'data', value);
    },
  });
  const dispatching = (target: object) => {
    if (!isMade) return;
    isMade = false;
    arrivedAt(fromParent, -1);
    if (ports.receives(target) || isPort(target)) ports.arrived(target);
  };
  const { prototype } = EventTarget;
  const { value, enumerable } = getOwnPropertyDescriptor(prototype, 'dispatchEvent')!;
  readOf(prototype, 'dispatchEvent', value, enumerable === true, dispatching);
}

function isPort(target: object): boolean {
  let at: object | null = target;
  while (at !== null && at !== messagePort) at = getPrototypeOf(at);
  return at !== null;
}

function arrivedAt(receiver: Receiver | null, messages: number): void {
  if (receiver !== null && receiver.fields !== null) receiver.fields[receiver.at]! += messages;
}

/** @param emits told of each worker of node:worker_threads that is asked for its emit */
export function watchEmit(emits: (worker: object) => void): void {
  const { prototype } = workerThreads.Worker as { prototype: object };
  readOf(prototype, 'emit', (prototype as { emit: unknown }).emit, false, emits);
}

/** Makes a method an accessor, which tells of each read and can be assigned as before. */
function readOf(
  owner: object,
  key: string,
  method: unknown,
  enumerable: boolean,
  tell: (self: object) => void,
): void {
  let value = method;
  defineProperty(owner, key, {
    configurable: true,
    enumerable,
    get(this: object) {
      try {
        tell(this);
      } catch {
        // It is not counted.
      }
      return value;
    },
    set(this: object, given: unknown) {
      if (this === owner) value = given;
      else setData(this, key, given);
    },
  });
}
