/** Builds the value of a source of test/differential: two builds are equal, strings included. */
import { createContext, runInContext } from 'node:vm';

const context = createContext({});
const otherRealm = (code: string): unknown => runInContext(code, context);
const own = (unit: string, count: number): string => unit.repeat(count);

export function builder(source: string): () => unknown {
  const build = new Function('keep', 'again', 'otherRealm', 'own', source);
  return () => {
    const kept: unknown[] = [];
    const keep = (value: unknown) => {
      kept.push(value);
      return value;
    };
    const again = (which: number) => (kept.length === 0 ? 1 : kept[which % kept.length]);
    try {
      return build(keep, again, otherRealm, own);
    } catch {
      // A value that cannot be built (sorting objects without a text) is replaced by null.
      return null;
    }
  };
}
