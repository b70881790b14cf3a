import type { Loss } from '../../model/documents/trial.ts';
import type { LossKind } from '../../model/rules/loss.ts';
import { PRIMITIVE_KINDS } from '../../model/vocabulary/shape.ts';
import type { RealLoss } from '../../model/wire/wire.ts';
import { pathOfTrail, type TrailStep } from '../paths.ts';
import { entriesIn } from '../value/collections.ts';
import { ARRAY_BUFFER, callOn, viewRange, viewType } from '../value/intrinsics.ts';
import { flatMap } from '../value/lists.ts';
import { isObject } from '../value/own-data.ts';
import { type ChildPairs, PropertyComparison, type ReportLoss } from './properties.ts';
import { slotLosses } from './slots.ts';
import { type ComparedType, className, exactType, primitiveDifference, quickType } from './value-type.ts';

// Which values are one and the same object: a clone keeps shared references and cycles, so a rewrite has to. Two views
// that overlap on one buffer see each other's writes, which is lost when they get separate buffers; views that merely
// lie in one pool do not.

interface ByteRange {
  start: number;
  end: number;
  /** The restored buffer. */
  buffer: object;
  path: string;
}

class SharedReferences {
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

/** Losses listed; further ones are counted. */
const LISTED = 100;

const PRIMITIVES: ReadonlySet<ComparedType> = new Set<ComparedType>([...PRIMITIVE_KINDS, 'symbol']);

class Comparison {
  readonly #losses: RealLoss[] = [];
  /** How many losses there are beyond those listed. */
  #more = 0;
  readonly #shared = new SharedReferences();
  readonly #stack: (ChildPairs & { at: number })[] = [];
  /** `trail[d]` leads from depth d-1 to d. */
  readonly #trail: TrailStep[] = [''];

  /** Depth-first without recursion: a payload may be a million levels deep. */
  run(original: unknown, restored: unknown): RealLoss[] {
    this.#visit(original, restored);
    for (let top = this.#stack.at(-1); top !== undefined; top = this.#stack.at(-1)) {
      const at = top.at++;
      if (at >= top.left.length) {
        this.#stack.pop();
        this.#trail.pop();
      } else {
        this.#trail[this.#stack.length] = top.steps[at]!;
        this.#visit(top.left[at], top.right[at]);
      }
    }
    const what = 'shared buffer became a copy';
    for (const path of this.#shared.separatedViews())
      this.#add(() => ({ path, what, kind: 'value', owner: path }));
    if (this.#more === 0) return this.#losses;
    const rest = `${this.#more} more losses`;
    return [...this.#losses, { path: '$', what: rest, kind: 'value', owner: '$' }];
  }

  #add(loss: () => RealLoss): void {
    if (this.#losses.length >= LISTED) this.#more++;
    else this.#losses.push(loss());
  }

  #path(depth: number, step?: TrailStep): string {
    return step === undefined
      ? pathOfTrail(this.#trail, depth)
      : pathOfTrail([...this.#trail.slice(0, depth + 1), step], depth + 1);
  }

  #report(kind: LossKind, what: string, step?: TrailStep): void {
    const depth = this.#stack.length;
    this.#add(() => ({ path: this.#path(depth, step), what, kind, owner: this.#path(depth) }));
  }

  #visit(a: unknown, b: unknown): void {
    if (Object.is(a, b) && (a === null || typeof a !== 'object')) return;
    const [quickA, quickB] = [quickType(a), quickType(b)];
    const [typeA, typeB] = quickA === quickB ? [quickA, quickB] : [exactType(a), exactType(b)];
    if (typeA === typeB && !PRIMITIVES.has(typeA)) this.#visitObjects(a as object, b as object, typeA);
    else if (!isObject(a) || !isObject(b) || this.#shared.pair(a, b) !== 'known')
      this.#report('value', primitiveDifference(a, b, typeA, typeB));
  }

  #visitObjects(a: object, b: object, type: ComparedType): void {
    const pair = this.#shared.pair(a, b);
    if (pair === 'known') return;
    if (pair !== 'new') {
      this.#report('value', pair.lost);
      if (!pair.goOn) return;
    }
    this.#recordBytes(a, b, type);
    if (a === b) return;
    this.#compareClasses(a, b, type);
    const pairs = childPairs(a, b, type, (kind, what, step) => this.#report(kind, what, step));
    if (pairs !== null && pairs.left.length > 0) this.#stack.push({ ...pairs, at: 0 });
  }

  #compareClasses(a: object, b: object, type: ComparedType): void {
    const prototype = Object.getPrototypeOf(a) as unknown;
    if (prototype === Object.getPrototypeOf(b) || type === 'function') return;
    const [nameA, nameB] = [className(a, type), className(b, type)];
    const otherView = type === 'view' && viewType(a as ArrayBufferView) !== viewType(b as ArrayBufferView);
    if (nameA !== nameB && !otherView) this.#report('class', `${nameA} became ${nameB}`);
  }

  #recordBytes(a: object, b: object, type: ComparedType): void {
    if (type !== 'view' && type !== 'arraybuffer') return;
    const path = this.#path(this.#stack.length);
    if (type === 'view') {
      const { buffer, offset, bytes } = viewRange(a);
      this.#shared.addRange(buffer, viewRange(b).buffer, offset, offset + bytes, path);
    } else this.#shared.addRange(a, b, 0, callOn(ARRAY_BUFFER.byteLength, a) as number, path);
  }
}

/**
 * What `restored` lost against `original`, at most 100 losses and then one that counts the rest; [] when they are
 * equal. Paths are concrete (see paths.ts), cut in the middle when very long.
 *
 * Compared: types by internal slots, classes, own properties including symbol keys and non-enumerable ones, their
 * attributes, frozen, sealed and extensible, holes, -0, NaN, order and content of Map and Set, bytes of buffers and
 * views, name, type and size of Blobs and Files, which values are one and the same object. Not compared: key order,
 * stack texts, buffer bytes outside a view. A getter of the original is never called: its loss is "getter became a
 * value". To find what a rewrite loses beyond the clone itself, pass a plain clone as `original`. Nothing is mutated;
 * neither value may hold a Proxy.
 */
export const differences = (original: unknown, restored: unknown): RealLoss[] =>
  new Comparison().run(original, restored);

export function compare(original: unknown, restored: unknown): Loss[] {
  const losses: Loss[] = [];
  for (const { path, what } of differences(original, restored)) losses.push({ path, what });
  return losses;
}

/** Entries in insertion order: Map and Set promise that order, and clones keep it. */
function collectionPairs(a: object, b: object, type: 'map' | 'set', report: ReportLoss): ChildPairs {
  const pairs = new PropertyComparison(a, b, type, report).compare();
  const [left, right] = [entriesIn(a, type), entriesIn(b, type)];
  if (left.size !== right.size) report('value', `${left.size} entries became ${right.size}`);
  for (let i = 0; i < Math.min(left.values.length, right.values.length); i++) {
    pairs.steps.push(left.steps[i]!);
    pairs.left.push(left.values[i]);
    pairs.right.push(right.values[i]);
  }
  return pairs;
}

/** Reports what differs in the values themselves; returns the children to compare, null where there are none. */
function childPairs(a: object, b: object, type: ComparedType, report: ReportLoss): ChildPairs | null {
  if (type === 'function') return null;
  if (type === 'map' || type === 'set') return collectionPairs(a, b, type, report);
  slotLosses(a, b, type, report);
  return new PropertyComparison(a, b, type, report).compare();
}
