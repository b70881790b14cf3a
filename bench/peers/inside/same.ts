import { isDeepStrictEqual } from 'node:util';

const isMissing = (value: unknown) => value === null || value === undefined;

/**
 * Reads the same at every key, and has no further one that reads as more than null. In favour of peers whose objects are of
 * classes with defaults: null is not told from a missing key, nor an empty list from a missing one.
 */
function readsTheSame(wanted: unknown, got: unknown): boolean {
  if (isMissing(wanted)) return isMissing(got);
  if (typeof wanted !== 'object') return wanted === got;
  if (typeof got !== 'object' || got === null || Array.isArray(wanted) !== Array.isArray(got)) return false;
  const [one, other] = [wanted as Record<string, unknown>, got as Record<string, unknown>];
  const further = Object.keys(other).filter((key) => !Object.hasOwn(one, key));
  return (
    Object.keys(one).every((key) => readsTheSame(one[key], other[key])) &&
    further.every((key) => isMissing(other[key]) || isEmptyList(other[key]))
  );
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

export function arrivedWhole(wanted: unknown, got: unknown, isLenient = false): boolean {
  return isLenient ? readsTheSame(wanted, got) : isDeepStrictEqual(got, wanted);
}
