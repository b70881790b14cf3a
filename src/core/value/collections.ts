/** What Maps and Sets hold, by internal slots: patched iterators do not run. */
import type { TrailStep } from '../paths.ts';
import { callOn, MAP, SET } from './intrinsics.ts';

interface CollectionEntries {
  steps: TrailStep[];
  /** Members of a Set; each key of a Map, followed by its value. */
  values: unknown[];
  /** Entries of a Map, members of a Set. */
  size: number;
}

/** Ends a forEach. */
const ENOUGH = Symbol();

/** One of `stride` entries, at most `limit`, in the order in which they were inserted. */
export function entriesIn(
  collection: object,
  kind: 'map' | 'set',
  limit = Number.POSITIVE_INFINITY,
  stride = 1,
): CollectionEntries {
  const slots = kind === 'map' ? MAP : SET;
  const steps: TrailStep[] = [];
  const values: unknown[] = [];
  let [index, met] = [0, 0];
  const add = (value: unknown, key: unknown) => {
    if (index === limit) throw ENOUGH;
    if (met++ % stride !== 0) return;
    if (kind === 'map') {
      steps.push({ part: 'key', index }, { part: 'value', index });
      values.push(key, value);
    } else {
      steps.push({ part: 'member', index });
      values.push(value);
    }
    index++;
  };
  try {
    callOn(slots.forEach, collection, add);
  } catch (thrown) {
    if (thrown !== ENOUGH) throw thrown;
  }
  return { steps, values, size: callOn(slots.size, collection) as number };
}
