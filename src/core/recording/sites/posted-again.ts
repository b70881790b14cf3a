/** How a message of a site is made again: over which channel, new each time or not, and whether it is as large. */
import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';
import type { Channel } from '../../../model/names.ts';
import type { PostingApi } from '../../../model/recording/recording.ts';

/** Channel of each call within a process. */
const CHANNEL_OF: Readonly<Record<PostingApi, Channel | null>> = {
  'Worker.postMessage': 'worker',
  'parentPort.postMessage': 'worker',
  'MessagePort.postMessage': 'message-port',
  'BroadcastChannel.postMessage': 'broadcast',
  'self.postMessage': 'worker',
  'window.postMessage': 'window',
  structuredClone: 'structured-clone',
  'process.send': null,
  'ChildProcess.send': null,
  workerData: 'worker',
};

/** Channel of the messages of a site. If the format between processes is not known, it is the default of `fork`. */
export const channelOf = ({ api, serialization }: Pick<RecordedMessages, 'api' | 'serialization'>): Channel =>
  CHANNEL_OF[api] ?? (serialization === 'advanced' ? 'ipc-advanced' : 'ipc-json');

type Posted = Pick<RecordedMessages, 'count' | 'sameObject' | 'bytes'>;

/** For smaller messages it makes no difference that their memory is new to the processor. */
const MIN_BYTES = 10_000;

/** Such messages are measured with new values too: what was just made is not in the caches, and its memory was never touched. */
export const areNew = ({ count, sameObject, bytes }: Posted): boolean =>
  bytes !== null && bytes.max >= MIN_BYTES && sameObject < count / 2;

type Recorded = Pick<RecordedMessages, 'typicalBytes' | 'transfer'>;

/** The value may be larger or smaller by a tenth. */
const TOLERANCE = 1.1;
/** Beside so few bytes a tenth is nothing. */
const FEW_BYTES = 64;

/**
 * What is wrong with its size: nothing may be advised or demanded by such a value. Null if it is as large, or if that is not known.
 *
 * @param copied bytes of a post of the value
 */
export function sizeDifference(copied: number, { typicalBytes, transfer }: Recorded): string | null {
  // What a transfer list moves is not in the recorded bytes.
  if (typicalBytes == null || transfer.listed > 0) return null;
  const ratio = Math.max(copied, FEW_BYTES) / Math.max(typicalBytes, FEW_BYTES);
  if (ratio <= TOLERANCE && ratio >= 1 / TOLERANCE) return null;
  return `The value has ${copied} bytes, the message that it stands for had ${typicalBytes}: results for it do not apply to the messages.`;
}
