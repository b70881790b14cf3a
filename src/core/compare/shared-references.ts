/**
 * Which values are one and the same object: a clone keeps shared references and cycles, so a rewrite has to. Two views
 * that overlap on one buffer see each other's writes, which is lost when they get separate buffers; views that merely
 * lie in one pool do not.
 */
import { flatMap } from '../value/lists.ts';

interface ByteRange {
  start: number;
  end: number;
  /** The restored buffer. */
  buffer: object;
  path: string;
}

export class SharedReferences {
  readonly #restoredOf = new Map<object, object>();
  readonly #originalOf = new Map<object, object>();
  readonly #ranges = new Map<object, ByteRange[]>();

  /** 'new' for a pair seen for the first time; 'known' for one that was compared before. Else what was lost. */
  pair(original: object, restored: object): 'new' | 'known' | { lost: string; goOn: boolean } {
    const before = this.#restoredOf.get(original);
    if (before === restored) return 'known';
    if (before !== undefined) return { lost: 'shared reference became a copy', goOn: false };
    this.#restoredOf.set(original, restored);
    if (this.#originalOf.has(restored)) return { lost: 'copies became a shared reference', goOn: true };
    this.#originalOf.set(restored, original);
    return 'new';
  }

  addRange(original: object, restored: object, start: number, end: number, path: string): void {
    const ranges = this.#ranges.get(original);
    const range = { start, end, buffer: restored, path };
    if (ranges === undefined) this.#ranges.set(original, [range]);
    else ranges.push(range);
  }

  /** Paths of the views that shared bytes with another view and no longer do. */
  separatedViews(): string[] {
    return flatMap([...this.#ranges.values()], separatedIn);
  }
}

/** Sorted by start, a range overlaps an earlier one exactly when it begins before the furthest end so far. */
function separatedIn(ranges: ByteRange[]): string[] {
  const separated: string[] = [];
  let furthest: ByteRange | null = null;
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (
      furthest !== null &&
      range.start < furthest.end &&
      range.end > range.start &&
      range.buffer !== furthest.buffer
    )
      separated.push(range.path);
    if (furthest === null || range.end > furthest.end) furthest = range;
  }
  return separated;
}
