/** Deeper values are left to the comparison without recursion. */
const MAX_DEPTH = 500;

/**
 * A quick yes for the usual case, ten times faster than `compare`: two trees of plain objects, arrays and primitives that
 * are the same. False says nothing: `compare` finds out.
 *
 * Neither value may come from code of the user's: reading runs getters, sees neither read-only properties nor those of
 * arrays, and may change how the engine stores arrays.
 *
 * @param tree as JSON.parse makes it: no object is in it twice
 */
export function isSameTree(tree: unknown, other: unknown): boolean {
  const seen = new Set<object>();
  const isSame = (a: unknown, b: unknown, depth: number): boolean => {
    if (typeof a !== 'object' || a === null) return typeof a !== 'function' && Object.is(a, b);
    if (typeof b !== 'object' || b === null || depth > MAX_DEPTH) return false;
    if (seen.has(b) || !Object.isExtensible(b)) return false;
    seen.add(b);
    return Array.isArray(a) ? isSameList(a, b, depth + 1) : isSameRecord(a, b, depth + 1);
  };
  /** JSON has no undefined, so that none is a hole. */
  const isSameList = (a: readonly unknown[], b: object, depth: number): boolean => {
    if (!Array.isArray(b) || Object.getPrototypeOf(b) !== Array.prototype || b.length !== a.length)
      return false;
    for (let at = 0; at < a.length; at++) {
      if (a[at] === undefined || !isSame(a[at], b[at], depth)) return false;
    }
    return true;
  };
  const isSameRecord = (a: object, b: object, depth: number): boolean => {
    if (Object.getPrototypeOf(a) !== Object.prototype || Object.getPrototypeOf(b) !== Object.prototype)
      return false;
    const keys = Object.keys(a);
    if (Reflect.ownKeys(b).length !== keys.length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      if (!isSame(Reflect.get(a, key), Reflect.get(b, key), depth)) return false;
    }
    return true;
  };
  return isSame(tree, other, 0);
}
