/** Compares messages that were posted one after the other. */
import type { ChangesSeen } from '../../model/documents/recorded/thread-file.ts';
import type { Look } from '../realm/platform.ts';
import type { Bucket } from '../records/bucket.ts';

/** A message that was posted. */
interface Posted {
  bucket: Bucket;
  group: number;
  nth: number;
  found: Look | null;
}

/** null if the message before was not looked at: then, at doubling gaps, the next one is. */
export function changesSince({ bucket, group, nth, found }: Posted): ChangesSeen | null {
  const before = bucket.lastParts;
  bucket.lastParts = null;
  const isNext = before !== null && before.group === group && before.nth === nth - 1;
  if (found === null || !(isNext || nth >= bucket.nextPair)) return null;
  const parts = found.parts();
  if (parts === null) return null;
  if (isNext) return found.changes(before.parts, parts);
  bucket.nextPair = 2 * (nth + 1);
  bucket.untilLook = 1;
  bucket.lastParts = { group, nth, parts };
  return null;
}
