/** What Maps and Sets hold, by internal slots: patched iterators do not run. */
import type { TrailStep } from '../../paths.ts';
import { callOn, methodOf } from './intrinsics.ts';

export interface CollectionEntries {
  steps: TrailStep[];
  values: unknown[];
  /** Entries of a Map, members of a Set. */
  size: number;
}

const mapForEach = methodOf(Map.prototype, 'forEach')!;
const setForEach = methodOf(Set.prototype, 'forEach')!;

/** Each key, followed by its value. */
export function mapEntries(map: object): CollectionEntries {
  const held: CollectionEntries = { steps: [], values: [], size: 0 };
  callOn(mapForEach, map, (value: unknown, key: unknown) => {
    const index = held.size++;
    held.steps.push({ part: 'key', index }, { part: 'value', index });
    held.values.push(key, value);
  });
  return held;
}

export function setMembers(set: object): CollectionEntries {
  const held: CollectionEntries = { steps: [], values: [], size: 0 };
  callOn(setForEach, set, (member: unknown) => {
    held.steps.push({ part: 'member', index: held.size++ });
    held.values.push(member);
  });
  return held;
}
