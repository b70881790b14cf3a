/** The way to post a message of a site again: its channel, new each time or not, and the difference in size. */
import type { RecordedMessages } from '../../model/documents/recorded/recording.ts';
import type { Channel } from '../../model/names.ts';
import { CHANNEL_OF_API } from '../../model/recording/recording.ts';

/** Channel of the messages of a site. If the format between processes is not known, it is the default of `fork`. */
export const channelOf = ({ api, serialization }: Pick<RecordedMessages, 'api' | 'serialization'>): Channel =>
  CHANNEL_OF_API[api] ?? (serialization === 'advanced' ? 'ipc-advanced' : 'ipc-json');

type Posted = Pick<RecordedMessages, 'count' | 'sameObject' | 'bytes'>;

/** For smaller messages it makes no difference that their memory is new to the processor. */
const MIN_BYTES = 10_000;

/** Such messages are measured with new values too: these are not in caches, and their memory was never touched. */
export const areNew = ({ count, sameObject, bytes }: Posted): boolean =>
  bytes !== null && bytes.max >= MIN_BYTES && sameObject < count / 2;

/** Share of messages with a buffer that was not posted before, up to which the site posts the same buffers again. */
const MIN_NEW = 0.1;

/** True if its buffers are posted again, as memory of WebAssembly is, or if it has none. One counts as new the first time. */
export const keepsBuffers = ({ transfer }: Pick<RecordedMessages, 'transfer'>): boolean =>
  transfer.possible <= MIN_NEW * transfer.messages;

type Recorded = Pick<RecordedMessages, 'typicalBytes' | 'transfer'>;

const TOLERANCE = 1.1;
/** Below this size a tenth does not matter. */
const FEW_BYTES = 64;

/** Such a value may not be used for advice or demands. Null if sizes are equal or not known. @param copied bytes of a post */
export function sizeDifference(copied: number, { typicalBytes, transfer }: Recorded): string | null {
  // Bytes that a transfer list moves are not in the recorded bytes.
  if (typicalBytes == null || transfer.listed > 0) return null;
  const ratio = Math.max(copied, FEW_BYTES) / Math.max(typicalBytes, FEW_BYTES);
  if (ratio <= TOLERANCE && ratio >= 1 / TOLERANCE) return null;
  return `The value has ${copied} bytes, the message that it stands for had ${typicalBytes}: results for it do not apply to the messages.`;
}
