/** Workers that a thread starts: their files, their classes, and the channels to them. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orElse } from '../../../model/or-else.ts';
import { ports, type Receiver, receiverIn } from '../channels/ports.ts';
import { watch } from '../channels/watch.ts';
import * as recorder from '../messages/recorder.ts';
import * as kept from '../realm/intrinsics.ts';
import { canBeRead, listedIn } from '../realm/platform.ts';
import { bucketsOf, type CountedChannel, channelTo, queueIn } from '../records/bucket.ts';

const urlPrototype = URL.prototype;
const hrefOf = kept.getter<string>(urlPrototype, 'href');

/** Address or path that a worker is started from; null if it cannot be read. */
export function givenAddress(given: unknown): string | null {
  if (typeof given === 'string') return given;
  return canBeRead(given) && kept.getPrototypeOf(given) === urlPrototype ? hrefOf(given) : null;
}

/** null for code given as text. */
function fileOf(given: unknown, options: unknown): string | null {
  const address = givenAddress(given);
  if (address === null || (canBeRead(options) && kept.dataOf(options, 'eval') === true)) return null;
  if (kept.startsWith(address, 'data:') || kept.startsWith(address, 'blob:')) return null;
  return orElse(() => (kept.startsWith(address, 'file:') ? fileURLToPath(address) : resolve(address)), null);
}

/** Codes of errors before anything was posted: the file or an option is wrong. */
const OF_WORKER = /^ERR_(?:WORKER_|INVALID_ARG|INVALID_URL)/;

interface WorkerClass<Start> {
  owner: object;
  /** Puts the recorder into the arguments, if that can be done. @param file null for code given as text */
  starting(args: unknown[], file: string | null): Start;
  /** @param know is called with the object that posts to the worker */
  started(start: Start, worker: object, know: Know): void;
  failed?(start: Start): void;
}

/** @param target worker, or the port to it @param fields its counters @returns counter of messages from the worker */
type Know = (target: object, fields: Float64Array | null) => Receiver;

/** Workers of one file share their classes of messages. */
function channel(api: CountedChannel['api'], file: string | null, queue: CountedChannel['queue']) {
  const to = `worker ${file ?? ''}`;
  return channelTo(to, api, queue, bucketsOf(api + to));
}

export function watchWorkers<Start>({ owner, starting, started, failed }: WorkerClass<Start>): void {
  watch(owner, 'Worker', {
    kind: 'class',
    before(_, args, patch) {
      const options = canBeRead(args[1]) ? args[1] : {};
      const file = fileOf(args[0], args[1]);
      // The runtime posts it to the worker while that is constructed.
      const data = {
        channel: channel('workerData', file, null),
        value: kept.dataOf(options, 'workerData'),
        listed: listedIn(kept.dataOf(options, 'transferList')),
        patch,
      };
      return { file, data, start: starting(args, file) };
    },
    after({ file, data, start }, worker) {
      started(start, worker as object, (target, fields) => {
        const receiver = receiverIn(fields, 'up');
        const queue = fields && queueIn(fields, 'down');
        ports.know(target, channel('Worker.postMessage', file, queue), receiver);
        return receiver;
      });
      if (data.value !== undefined) recorder.tell(data);
    },
    threw({ data, start }, error) {
      failed?.(start);
      const code = canBeRead(error) ? kept.dataOf(error, 'code') : undefined;
      const isOfWorker = typeof code === 'string' && kept.matches(OF_WORKER, code);
      if (data.value !== undefined && !isOfWorker) recorder.refused(data, error);
    },
  });
}
