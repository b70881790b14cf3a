import type { Loss } from '../../model/documents/trial.ts';
import type { LossKind } from '../../model/rules/rule.ts';
import { groupedBy } from '../../model/sums.ts';
import { PRIMITIVE_KINDS } from '../../model/vocabulary/shape.ts';
import type { RealLoss } from '../../model/wire/wire.ts';
import {
  ARRAY_BUFFER,
  accepts,
  callOn,
  DATE,
  isInBounds,
  isResizable,
  type Method,
  readLength,
  regexpOf,
  SHARED_BUFFER,
  TYPED_ARRAY,
  unboxed,
  viewRange,
  viewType,
} from '../read/intrinsics.ts';
import { flatMap, map } from '../read/lists.ts';
import { isObject, ownData, ownStack } from '../read/own-data.ts';
import { pathOfTrail, type TrailStep } from '../read/paths.ts';
import { platformClass } from '../read/platform-class.ts';
import { entriesIn, Walk } from '../read/walk.ts';
import {
  type ChildPairs,
  type ComparedType,
  className,
  exactType,
  primitiveDifference,
  propertyPairs,
  quickType,
  type ReportLoss,
} from './values.ts';

function reportChange(report: ReportLoss, before: unknown, after: unknown, slot = '', step?: TrailStep) {
  if (!Object.is(before, after)) report('value', slot + primitiveDifference(before, after), step);
}

function resizing(a: object, b: object, report: ReportLoss): void {
  const before = isResizable(a);
  if (before !== isResizable(b))
    report('value', before ? 'resizable became fixed' : 'fixed became resizable');
}

type Memory = ReturnType<typeof viewRange>;

/** @param size bytes of an element; 0 for memory without a view */
function bytesLosses(a: Memory, b: Memory, size: number, report: ReportLoss): void {
  if (a.bytes !== b.bytes) report('value', `${a.bytes} bytes became ${b.bytes}`);
  const shorter = Math.min(a.bytes, b.bytes);
  // No view can be made on a detached buffer.
  if (shorter === 0) return;
  const left = new Uint8Array(a.buffer, a.offset, shorter);
  const right = new Uint8Array(b.buffer, b.offset, shorter);
  let at = 0;
  while (at < shorter && left[at] === right[at]) at++;
  if (at === shorter) return;
  if (size === 0) report('value', `content changed at byte ${at}`);
  else report('value', 'content changed', Math.floor(at / size));
}

const wholeOf = (buffer: object, type: 'arraybuffer' | 'sharedarraybuffer'): Memory => ({
  buffer: buffer as ArrayBufferLike,
  offset: 0,
  bytes: callOn((type === 'arraybuffer' ? ARRAY_BUFFER : SHARED_BUFFER).byteLength!, buffer) as number,
});

function viewLosses(a: ArrayBufferView, b: ArrayBufferView, report: ReportLoss): void {
  if (viewType(a) !== viewType(b)) {
    report('value', `${viewType(a)} became ${viewType(b)}`);
    return;
  }
  const [left, right] = [viewRange(a), viewRange(b)];
  if (exactType(left.buffer) !== exactType(right.buffer))
    report('value', primitiveDifference(left.buffer, right.buffer));
  resizing(left.buffer, right.buffer, report);
  const [isWhole, isOther] = [isInBounds(a), isInBounds(b)];
  if (isWhole !== isOther) report('value', isWhole ? 'view lost its memory' : 'view got memory');
  if (!isWhole || !isOther) return;
  const length = viewType(a) === 'DataView' ? left.bytes : (callOn(TYPED_ARRAY.length, a) as number);
  bytesLosses(left, right, left.bytes / length, report);
}

/** Engines send message and stack if they are strings; a stack of a different type is dropped or becomes text. */
function errorLosses(a: object, b: object, report: ReportLoss): void {
  const isPlatform = platformClass(a) !== undefined;
  if (!isPlatform) messageLosses(a, b, report);
  const stack = ownStack(a);
  if (typeof stack === 'string' || isPlatform) {
    if (Object.hasOwn(a, 'stack') && !Object.hasOwn(b, 'stack'))
      report('property', `${typeof stack} became absent`, 'stack');
  } else if (stack !== undefined) reportChange(report, stack, ownStack(b), '', 'stack');
}

function messageLosses(a: object, b: object, report: ReportLoss): void {
  const message = Object.getOwnPropertyDescriptor(a, 'message');
  if (message !== undefined && !('value' in message)) {
    if (!Object.hasOwn(b, 'message')) report('property', 'getter became absent', 'message');
  } else if (message !== undefined) reportChange(report, message.value, ownData(b, 'message'), '', 'message');
}

/** undefined for an object that only has the prototype, without the internal slots. */
const readState = (value: object, getter: Method | undefined): unknown =>
  getter !== undefined && accepts(getter, value) ? callOn(getter, value) : undefined;

function platformLosses(a: object, b: object, report: ReportLoss, above = ''): void {
  const [before, after] = [platformClass(a), platformClass(b)];
  if (before === undefined || after === undefined) return;
  for (const [name, getter] of before.state) {
    const [left, right] = [readState(a, getter), readState(b, after.state.get(name))];
    if (ArrayBuffer.isView(left) && ArrayBuffer.isView(right)) viewLosses(left, right, report);
    else if (isObject(left) && isObject(right)) platformLosses(left, right, report, `${above}${name}.`);
    else reportChange(report, left, right, `${above}${name}: `);
  }
}

function slotLosses(a: object, b: object, type: ComparedType, report: ReportLoss): void {
  if (type === 'view') viewLosses(a as ArrayBufferView, b as ArrayBufferView, report);
  else if (type === 'arraybuffer' || type === 'sharedarraybuffer') {
    bytesLosses(wholeOf(a, type), wholeOf(b, type), 0, report);
    resizing(a, b, report);
  } else if (type === 'date') {
    reportChange(report, callOn(DATE.getTime, a), callOn(DATE.getTime, b), 'time ');
  } else if (type === 'regexp') regexpLosses(a, b, report);
  else if (type === 'boxed') reportChange(report, unboxed(a), unboxed(b), 'boxed ');
  else if (type === 'array')
    reportChange(report, readLength(a as unknown[]), readLength(b as unknown[]), 'length ');
  else {
    if (type === 'error') errorLosses(a, b, report);
    platformLosses(a, b, report);
  }
}

function regexpLosses(a: object, b: object, report: ReportLoss): void {
  const [before, after] = [regexpOf(a), regexpOf(b)];
  if (before.source !== after.source || before.letters !== after.letters)
    report('value', 'pattern or flags changed');
  reportChange(report, ownData(a, 'lastIndex'), ownData(b, 'lastIndex'), '', 'lastIndex');
}

// Checks which references lead to the same object: a clone keeps shared references and cycles, so a rewrite has to. Two
// views that overlap on one buffer see each other's writes; separate buffers lose that. Views that merely share a pool
// without overlapping lose nothing.

interface ByteRange {
  start: number;
  end: number;
  original: object;
  buffer: object;
  path: string;
}

/** After sorting by start, a range overlaps an earlier range exactly if it starts before the furthest end so far. */
function separatedIn(ranges: ByteRange[]): string[] {
  const separated: string[] = [];
  let furthest: ByteRange | null = null;
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const overlaps = furthest !== null && range.start < furthest.end && range.end > range.start;
    if (overlaps && range.buffer !== furthest!.buffer) separated.push(range.path);
    if (furthest === null || range.end > furthest.end) furthest = range;
  }
  return separated;
}

const separatedViews = (ranges: readonly ByteRange[]): string[] =>
  flatMap([...groupedBy(ranges, ({ original }) => original).values()], separatedIn);

const LISTED = 100;

const PRIMITIVES: ReadonlySet<ComparedType> = new Set<ComparedType>([...PRIMITIVE_KINDS, 'symbol']);

class Comparison {
  readonly #losses: RealLoss[] = [];
  #more = 0;
  readonly #restoredOf = new Map<object, object>();
  readonly #restored = new Set<object>();
  readonly #ranges: ByteRange[] = [];
  readonly #walk = new Walk<ChildPairs>();

  run(original: unknown, restored: unknown): RealLoss[] {
    this.#visit(original, restored);
    this.#walk.run((child, { others, next }) => {
      this.#visit(child, others[next - 1]);
    });
    const what = 'shared buffer became a copy';
    for (const path of separatedViews(this.#ranges))
      this.#add(() => ({ path, what, kind: 'value', owner: path }));
    if (this.#more === 0) return this.#losses;
    const rest = `${this.#more} more losses`;
    return [...this.#losses, { path: '$', what: rest, kind: 'value', owner: '$' }];
  }

  #add(loss: () => RealLoss): void {
    if (this.#losses.length >= LISTED) this.#more++;
    else this.#losses.push(loss());
  }

  #report(kind: LossKind, what: string, step?: TrailStep): void {
    this.#add(() => {
      const { path: owner, open, trail } = this.#walk;
      const depth = open.length + 1;
      const path = step === undefined ? owner : pathOfTrail([...trail.slice(0, depth), step], depth);
      return { path, what, kind, owner };
    });
  }

  #visit(a: unknown, b: unknown): void {
    if (Object.is(a, b) && (a === null || typeof a !== 'object')) return;
    const [quickA, quickB] = [quickType(a), quickType(b)];
    const [typeA, typeB] = quickA === quickB ? [quickA, quickB] : [exactType(a), exactType(b)];
    if (typeA === typeB && !PRIMITIVES.has(typeA)) this.#visitObjects(a as object, b as object, typeA);
    else if (!isObject(a) || !isObject(b) || this.#pair(a, b) !== 'known')
      this.#report('value', primitiveDifference(a, b));
  }

  /** 'new' at the first visit of a pair, 'known' if it was compared before, otherwise the loss. */
  #pair(original: object, restored: object): 'new' | 'known' | 'copied' | 'joined' {
    const before = this.#restoredOf.get(original);
    if (before !== undefined) return before === restored ? 'known' : 'copied';
    this.#restoredOf.set(original, restored);
    const isJoined = this.#restored.has(restored);
    this.#restored.add(restored);
    return isJoined ? 'joined' : 'new';
  }

  #visitObjects(a: object, b: object, type: ComparedType): void {
    const pair = this.#pair(a, b);
    if (pair === 'copied') this.#report('value', 'shared reference became a copy');
    if (pair === 'joined') this.#report('value', 'copies became a shared reference');
    if (pair === 'known' || pair === 'copied') return;
    this.#recordBytes(a, b, type);
    if (a === b) return;
    this.#compareClasses(a, b, type);
    const pairs = childPairs(a, b, type, (kind, what, step) => this.#report(kind, what, step));
    if (pairs !== null && pairs.values.length > 0) this.#walk.open.push(pairs);
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
    const isView = type === 'view';
    const { buffer: original, offset: start, bytes } = isView ? viewRange(a) : wholeOf(a, type);
    const buffer = isView ? viewRange(b).buffer : b;
    this.#ranges.push({ original, buffer, start, end: start + bytes, path: this.#walk.path });
  }
}

/**
 * Losses of `restored` against `original`: at most 100 losses, and their number if there are more. Paths are concrete,
 * and cut in the middle if very long. A clone as `original` shows what a rewrite loses beyond the clone itself.
 * Key order, stack texts, and buffer bytes outside a view are not compared. A getter of the original is never called:
 * its loss is "getter became a value". Nothing is mutated; a Proxy is not allowed.
 */
export const differences = (original: unknown, restored: unknown): RealLoss[] =>
  new Comparison().run(original, restored);

export const compare = (original: unknown, restored: unknown): Loss[] =>
  map(differences(original, restored), ({ path, what }) => ({ path, what }));

/** Map and Set promise the insertion order, and clones keep it. */
function collectionPairs(a: object, b: object, type: 'map' | 'set', report: ReportLoss): ChildPairs {
  const [left, right] = [entriesIn(a, type), entriesIn(b, type)];
  if (left.size !== right.size) report('value', `${left.size} entries became ${right.size}`);
  const entries = Math.min(left.values.length, right.values.length);
  const [steps, values] = [left.steps.slice(0, entries), left.values.slice(0, entries)];
  // Entries come before properties, as in a description, which describes an object at its first place.
  const pairs = { steps, values, others: right.values.slice(0, entries), next: 0 };
  return propertyPairs(a, b, type, report, pairs);
}

function childPairs(a: object, b: object, type: ComparedType, report: ReportLoss): ChildPairs | null {
  if (type === 'function') return null;
  if (type === 'map' || type === 'set') return collectionPairs(a, b, type, report);
  slotLosses(a, b, type, report);
  return propertyPairs(a, b, type, report);
}
