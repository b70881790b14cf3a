/** Compares messages that were posted one after the other. */
import type { ChangesSeen } from '../../model/documents/thread-file.ts';
import type { Look } from '../realm/platform.ts';
import type { Bucket } from '../records/bucket.ts';

/** Smaller messages are not compared with the one before: there is little to save. */
const LEAST_BYTES = 1000;

/** A message that was posted. */
interface Posted {
  bucket: Bucket;
  group: number;
  nth: number;
  found: Look | null;
}

/** null where the message before was not looked at: then the next one is, while there is time. */
export function changesSince(looked: Posted, { bytes = 0 }: { bytes?: number }): ChangesSeen | null {
  const { bucket, group, nth, found } = looked;
  const before = bucket.lastParts;
  bucket.lastParts = null;
  const parts = found === null || bytes < LEAST_BYTES ? null : found.parts();
  if (found === null || parts === null) return null;
  const isNext = before !== null && before.group === group && before.nth === nth - 1;
  if (!isNext) bucket.untilLook = 1;
  // Of pairs that are far from each other nothing is kept in between.
  if (bucket.untilLook <= 1) bucket.lastParts = { group, nth, parts };
  return isNext ? found.changes(before.parts, parts) : null;
}
