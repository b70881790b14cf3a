/** What Maps and Sets hold, by internal slots: patched iterators do not run. */
import type { TrailStep } from '../../paths.ts';
import { callOn, MAP, SET } from '../../value/intrinsics.ts';

interface CollectionEntries {
  steps: TrailStep[];
  values: unknown[];
  /** Entries of a Map, members of a Set. */
  size: number;
}

/** Each key, followed by its value; of the first `limit` entries. */
export function mapEntries(map: object, limit = Number.POSITIVE_INFINITY): CollectionEntries {
  const entries: CollectionEntries = { steps: [], values: [], size: callOn(MAP.size, map) as number };
  let index = 0;
  const add = (value: unknown, key: unknown) => {
    if (index === limit) throw ENOUGH;
    entries.steps.push({ part: 'key', index }, { part: 'value', index });
    entries.values.push(key, value);
    index++;
  };
  upToEnough(() => callOn(MAP.forEach, map, add));
  return entries;
}

/** The first `limit` members. */
export function setMembers(set: object, limit = Number.POSITIVE_INFINITY): CollectionEntries {
  const entries: CollectionEntries = { steps: [], values: [], size: callOn(SET.size, set) as number };
  let index = 0;
  const add = (member: unknown) => {
    if (index === limit) throw ENOUGH;
    entries.steps.push({ part: 'member', index: index++ });
    entries.values.push(member);
  };
  upToEnough(() => callOn(SET.forEach, set, add));
  return entries;
}

/** Ends a forEach. */
const ENOUGH = Symbol();

function upToEnough(each: () => unknown): void {
  try {
    each();
  } catch (thrown) {
    if (thrown !== ENOUGH) throw thrown;
  }
}
