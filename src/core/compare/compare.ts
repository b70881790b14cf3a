import type { Loss } from '../../model/documents/trial.ts';
import type { LossKind, RealLoss } from '../../model/rules/loss.ts';
import { pathOfTrail, type TrailStep } from '../paths.ts';
import { ARRAY_BUFFER, callOn, MAP, SET, viewRange, viewType } from '../value/intrinsics.ts';
import { isObject } from '../value/own-data.ts';
import { type ChildPairs, PropertyComparison, type ReportLoss } from './properties.ts';
import { SharedReferences } from './shared-references.ts';
import { slotLosses } from './slots.ts';
import {
  type ComparedValueType,
  className,
  exactType,
  primitiveDifference,
  quickType,
} from './value-type.ts';

/** Losses listed; further ones are counted. */
const LISTED = 100;

class Losses {
  readonly #list: RealLoss[] = [];
  #more = 0;

  add(kind: LossKind, owner: () => string, what: string, path = owner): void {
    if (this.#list.length >= LISTED) this.#more++;
    else this.#list.push({ path: path(), what, kind, owner: owner() });
  }

  all(): RealLoss[] {
    if (this.#more === 0) return this.#list;
    const rest = `${this.#more} more losses`;
    return [...this.#list, { path: '$', what: rest, kind: 'value', owner: '$' }];
  }
}

interface OpenPair extends ChildPairs {
  at: number;
}

const PRIMITIVES: ReadonlySet<ComparedValueType> = new Set<ComparedValueType>([
  'undefined',
  'null',
  'boolean',
  'number',
  'bigint',
  'string',
  'symbol',
]);

class Comparison {
  readonly losses = new Losses();
  readonly #shared = new SharedReferences();
  readonly #stack: OpenPair[] = [];
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
    for (const path of this.#shared.separatedViews())
      this.losses.add('value', () => path, 'shared buffer became a copy');
    return this.losses.all();
  }

  #path(depth: number, step?: TrailStep): string {
    return step === undefined
      ? pathOfTrail(this.#trail, depth)
      : pathOfTrail([...this.#trail.slice(0, depth + 1), step], depth + 1);
  }

  #report(kind: LossKind, what: string, step?: TrailStep): void {
    const depth = this.#stack.length;
    this.losses.add(
      kind,
      () => this.#path(depth),
      what,
      () => this.#path(depth, step),
    );
  }

  #types(a: unknown, b: unknown): [ComparedValueType, ComparedValueType] {
    const [typeA, typeB] = [quickType(a), quickType(b)];
    return typeA === typeB ? [typeA, typeB] : [exactType(a), exactType(b)];
  }

  #visit(a: unknown, b: unknown): void {
    if (Object.is(a, b) && (a === null || typeof a !== 'object')) return;
    const [typeA, typeB] = this.#types(a, b);
    if (typeA === typeB && !PRIMITIVES.has(typeA)) this.#visitObjects(a as object, b as object, typeA);
    else if (!isObject(a) || !isObject(b) || this.#shared.pair(a, b) !== 'known')
      this.#report('value', primitiveDifference(a, b, typeA, typeB));
  }

  #visitObjects(a: object, b: object, type: ComparedValueType): void {
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

  #compareClasses(a: object, b: object, type: ComparedValueType): void {
    const prototype = Object.getPrototypeOf(a) as unknown;
    if (prototype === Object.getPrototypeOf(b) || type === 'function') return;
    const [nameA, nameB] = [className(a, type), className(b, type)];
    const otherView = type === 'view' && viewType(a as ArrayBufferView) !== viewType(b as ArrayBufferView);
    if (nameA !== nameB && !otherView) this.#report('class', `${nameA} became ${nameB}`);
  }

  #recordBytes(a: object, b: object, type: ComparedValueType): void {
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
export function differences(original: unknown, restored: unknown): RealLoss[] {
  return new Comparison().run(original, restored);
}

/** The same, for reports. */
export function compare(original: unknown, restored: unknown): Loss[] {
  const losses: Loss[] = [];
  for (const { path, what } of differences(original, restored)) losses.push({ path, what });
  return losses;
}

const PARTS = { map: ['key', 'value'], set: ['member'] } as const;

/** Members of a Set; each key of a Map followed by its value, in the order in which a walk visits them. */
function membersOf(collection: object, type: 'map' | 'set'): unknown[] {
  const members: unknown[] = [];
  if (type === 'set') callOn(SET.forEach, collection, (member: unknown) => members.push(member));
  else callOn(MAP.forEach, collection, (value: unknown, key: unknown) => members.push(key, value));
  return members;
}

/** Entries in insertion order: Map and Set promise that order, and clones keep it. */
function collectionPairs(a: object, b: object, type: 'map' | 'set', report: ReportLoss): ChildPairs {
  const pairs = new PropertyComparison(a, b, type, report).compare();
  const parts = PARTS[type];
  const left = membersOf(a, type);
  const right = membersOf(b, type);
  if (left.length !== right.length)
    report('value', `${left.length / parts.length} entries became ${right.length / parts.length}`);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    pairs.steps.push({ part: parts[i % parts.length]!, index: Math.floor(i / parts.length) });
    pairs.left.push(left[i]);
    pairs.right.push(right[i]);
  }
  return pairs;
}

/** Reports what differs in the values themselves; returns the children to compare, null where there are none. */
function childPairs(a: object, b: object, type: ComparedValueType, report: ReportLoss): ChildPairs | null {
  if (type === 'function') return null;
  if (type === 'map' || type === 'set') return collectionPairs(a, b, type, report);
  slotLosses(a, b, type, report);
  return new PropertyComparison(a, b, type, report).compare();
}
