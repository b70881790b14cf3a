import type { Shape } from '../../model/documents/shape.ts';

/** The first pattern whose values have other facts in another build of the payload: it is stored otherwise there. */
export function storedOtherwise(one: Shape, other: Shape): string | null {
  for (const { pattern, kind, flags } of one.patterns) {
    const there = other.patterns.find((row) => row.pattern === pattern && row.kind === kind);
    if (there !== undefined && there.flags.join() !== flags.join()) return pattern;
  }
  return null;
}
