/** Compares the size of a value of which some items stand for all with the message that was recorded. */
import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';

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
