/** Values of JSON: node:util would tell it too, but pages lack it. */
function isEqual(wanted: unknown, got: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(wanted, got);
  if (typeof got !== 'object' || got === null) return false;
  if (Object.getPrototypeOf(wanted) !== Object.getPrototypeOf(got)) return false;
  const [one, other] = [wanted as Record<string, unknown>, got as Record<string, unknown>];
  const keys = Object.keys(one);
  if (Array.isArray(one) && one.length !== other.length) return false;
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  );
}

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
  return isLenient ? readsTheSame(wanted, got) : isEqual(wanted, got);
}
