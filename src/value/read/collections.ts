/** Contents of Maps and Sets, read by internal slots: patched iterators do not run. */

import { callOn, MAP, SET } from './intrinsics.ts';
import type { TrailStep } from './paths.ts';

interface CollectionEntries {
  steps: TrailStep[];
  /** Members of a Set; each key of a Map, followed by its value. */
  values: unknown[];
  /** Number of entries of a Map, or of members of a Set. */
  size: number;
}

/** Thrown to end a forEach. */
const ENOUGH = Symbol();

/** Reads every entry whose number is a multiple of `stride`, at most `limit`, in insertion order. */
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
