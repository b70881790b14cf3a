let evaluations = 0;

/**
 * Builds the value of a source. A new text is compiled again, with its own allocation profiles.
 * @param otherRealm evaluates a text in one
 * @param own makes a text of a length
 */
export function builtFrom(
  source: string,
  otherRealm: (code: string) => unknown,
  own: (unit: string, count: number) => string,
): unknown {
  const kept: unknown[] = [];
  const keep = (value: unknown) => {
    kept.push(value);
    return value;
  };
  const again = (which: number) => (kept.length === 0 ? 1 : kept[which % kept.length]);
  const build = new Function('keep', 'again', 'otherRealm', 'own', `${source} // ${evaluations++}`);
  try {
    return build(keep, again, otherRealm, own);
  } catch {
    // A value that cannot be built (sorting objects without a text) is replaced by null.
    return null;
  }
}

/** @returns what builds the value of a source, with texts that no other has */
export const builder = (otherRealm: (code: string) => unknown) => (source: string) => {
  const mark = String(evaluations).padStart(6, '0');
  return builtFrom(source, otherRealm, (unit, count) => [mark, unit.repeat(count - mark.length)].join(''));
};
