/** Workers that a thread starts: what from, by which class, and the channels to them. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { HEADER } from '../../core/recording/threads/counters.ts';
import { orElse } from '../../model/or-else.ts';
import { type CountedChannel, channelTo, queueIn } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import {
  create,
  dataOf,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  startsWith,
  unbound,
} from '../realm/intrinsics.ts';
import { canBeRead } from '../realm/platform.ts';
import type { Bucket } from '../records/bucket.ts';
import type { Clean } from '../records/clean-stack.ts';
import { type Ports, type Receiver, receiverIn } from './ports.ts';

export type WorkerClass = new (...args: never) => object;

/** The class of web workers, which the types of Node do not have. */
export const { Worker: WebWorker } = globalThis as typeof globalThis & {
  Worker: WorkerClass & { prototype: object };
};

const urlPrototype = URL.prototype;
const hrefOf = unbound(getOwnPropertyDescriptor(urlPrototype, 'href')!.get as () => string) as (
  url: unknown,
) => string;

export const isReadable = (value: unknown): value is object => canBeRead(value, types);

/** Address or path that a worker is started from; null where it cannot be read. */
export function addressOf(given: unknown): string | null {
  if (typeof given === 'string') return given;
  return isReadable(given) && getPrototypeOf(given) === urlPrototype ? hrefOf(given) : null;
}

/** null for code given as text. */
export function fileOf(given: unknown, options: unknown): string | null {
  const address = addressOf(given);
  if (address === null || (isReadable(options) && dataOf(options, 'eval') === true)) return null;
  if (startsWith(address, 'data:') || startsWith(address, 'blob:')) return null;
  return orElse(() => (startsWith(address, 'file:') ? fileURLToPath(address) : resolve(address)), null);
}

type Start = (given: readonly unknown[], newTarget: WorkerClass, patch: unknown) => object;

/** Replaces a class of workers by a Proxy of it. @param start makes one: frames above `patch` are the program's */
export function replaceWorker(
  owner: object,
  Class: WorkerClass,
  cleaned: Clean,
  start: Start,
  traps: ProxyHandler<WorkerClass> = {},
): WorkerClass {
  const handler = {
    ...traps,
    construct(_target: WorkerClass, given: unknown[], newTarget: WorkerClass): object {
      try {
        // An object of the class itself: by a Proxy the engine names its objects after the class below.
        return start(given, newTarget === watched ? Class : newTarget, handler.construct);
      } catch (error) {
        throw cleaned(error, handler.construct);
      }
    },
  };
  // In V8 the prototype keeps its constructor: stacks name the class of a receiver by it, and know no Proxy.
  const watched = new Proxy(Class, handler as ProxyHandler<WorkerClass>);
  defineProperty(owner, 'Worker', { ...getOwnPropertyDescriptor(owner, 'Worker')!, value: watched });
  return watched;
}

/** Nothing was posted yet: the file or an option is wrong. */
function isOfWorker(error: unknown): boolean {
  const code = isReadable(error) ? dataOf(error, 'code') : undefined;
  if (typeof code !== 'string') return false;
  return (
    startsWith(code, 'ERR_WORKER_') ||
    startsWith(code, 'ERR_INVALID_ARG') ||
    startsWith(code, 'ERR_INVALID_URL')
  );
}

export type WorkerChannels = ReturnType<typeof workerChannels>;

/** Channels to workers. Those of one file share their classes of messages. */
export function workerChannels(recorder: Recorder, ports: Ports) {
  const classes = create(null) as Record<string, Bucket[]>;
  const channel = (api: CountedChannel['api'], file: string | null, queue: CountedChannel['queue']) => {
    const to = `worker ${file ?? ''}`;
    classes[api + to] ??= [];
    return channelTo(to, api, queue, classes[api + to]);
  };
  return {
    /** @param worker itself, or the port to it @param fields its counters @returns where what it posts is counted */
    know(worker: object, file: string | null, fields: Float64Array | null): Receiver {
      const receiver = receiverIn(fields, HEADER.upReceived);
      ports.know(worker, channel('Worker.postMessage', file, fields && queueIn(fields, 'down')), receiver);
      return receiver;
    },
    /** Makes a worker, whose data the runtime posts to it: that may throw. */
    started<T>(file: string | null, options: unknown, patch: unknown, construct: () => T): T {
      try {
        return construct();
      } catch (error) {
        const value = isReadable(options) ? dataOf(options, 'workerData') : undefined;
        const transfer = value === undefined ? undefined : dataOf(options as object, 'transferList');
        const to = channel('workerData', file, null);
        if (value !== undefined && !isOfWorker(error))
          recorder.threw({ channel: to, alike: to, value, transfer, error, patch });
        throw error;
      }
    },
    /** The runtime posts it to the worker while that is constructed. */
    recordData(file: string | null, options: unknown, patch: unknown): void {
      const data = isReadable(options) ? dataOf(options, 'workerData') : undefined;
      if (data === undefined) return;
      recorder.tell(
        channel('workerData', file, null),
        data,
        dataOf(options as object, 'transferList'),
        patch,
      );
    },
  };
}
