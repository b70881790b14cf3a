/** What Maps and Sets hold, by internal slots: patched iterators do not run. */
import type { TrailStep } from '../../paths.ts';
import { callOn, MAP, SET } from '../../value/intrinsics.ts';

export interface CollectionEntries {
  steps: TrailStep[];
  values: unknown[];
  /** Entries of a Map, members of a Set. */
  size: number;
}

/** Each key, followed by its value. */
export function mapEntries(map: object): CollectionEntries {
  const entries: CollectionEntries = { steps: [], values: [], size: 0 };
  callOn(MAP.forEach, map, (value: unknown, key: unknown) => {
    const index = entries.size++;
    entries.steps.push({ part: 'key', index }, { part: 'value', index });
    entries.values.push(key, value);
  });
  return entries;
}

export function setMembers(set: object): CollectionEntries {
  const entries: CollectionEntries = { steps: [], values: [], size: 0 };
  callOn(SET.forEach, set, (member: unknown) => {
    entries.steps.push({ part: 'member', index: entries.size++ });
    entries.values.push(member);
  });
  return entries;
}
