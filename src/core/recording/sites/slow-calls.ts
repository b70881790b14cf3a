/** Calls that took much longer in the program than posting the same message takes here. */

import type { Measurement } from '../../../model/documents/measurement.ts';
import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';
import { isToProcess } from '../../../model/recording/recording.ts';
import { sendNs } from './rank.ts';

type Calls = Pick<RecordedMessages, 'api' | 'count' | 'send'>;

const MIN_TIMES = 5;
/** Less is the first calls, of code that was still cold. */
const MIN_MORE_NS = 10e6;

/** Null where the message explains what the calls took, and where it is not known. */
export function slowCalls(
  posted: Calls,
  measurement: Measurement | null,
): { recordedNs: number; hereNs: number } | null {
  const recordedNs = sendNs(posted);
  if (recordedNs === null || measurement === null) return null;
  // What their call takes is not measured apart from the round trip.
  if (isToProcess(posted.api)) return null;
  const { roundTrip, send } = measurement;
  const half = posted.api === 'structuredClone' ? roundTrip.median : roundTrip.median / 2;
  const hereNs = posted.count * (send?.median ?? half);
  const isSlow = recordedNs > MIN_TIMES * hereNs && recordedNs - hereNs >= MIN_MORE_NS;
  return isSlow ? { recordedNs, hereNs } : null;
}
