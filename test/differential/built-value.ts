/** Builds the value of a source, in the runtime under test. */
import { createContext, runInContext } from 'node:vm';

const context = createContext({});
let evaluations = 0;

/** From newly evaluated code each time, so that no two builds share strings or allocation sites. */
export function built(source: string): unknown {
  const kept: unknown[] = [];
  const keep = (value: unknown) => {
    kept.push(value);
    return value;
  };
  const again = (which: number) => (kept.length === 0 ? 1 : kept[which % kept.length]);
  const otherRealm = (code: string): unknown => runInContext(code, context);
  const mark = String(evaluations).padStart(6, '0');
  const own = (unit: string, count: number) => [mark, unit.repeat(count - mark.length)].join('');
  // A new text is compiled again, with its own allocation profiles.
  const fresh = `${source} // ${evaluations++}`;
  try {
    return new Function('keep', 'again', 'otherRealm', 'own', fresh)(keep, again, otherRealm, own);
  } catch {
    // A value that cannot be built (sorting objects without a text) is replaced by null.
    return null;
  }
}
