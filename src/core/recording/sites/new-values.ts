/** Recognizes programs that post a different value each time, rather than the same one again. */
import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';

type Posted = Pick<RecordedMessages, 'count' | 'sameObject' | 'bytes'>;

/** For smaller messages it makes no difference that their memory is new to the processor. */
const MIN_BYTES = 10_000;

/** Such messages are measured with new values too: what was just made is not in the caches, and its memory was never touched. */
export const areNew = ({ count, sameObject, bytes }: Posted): boolean =>
  bytes !== null && bytes.max >= MIN_BYTES && sameObject < count / 2;
