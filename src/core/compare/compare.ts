import type { Loss } from '../../model/remedy.ts';
import { pathOfTrail, type TrailStep } from '../paths.ts';
import { childPairs } from './child-pairs.ts';
import { className, primitiveDifference } from './loss-text.ts';
import type { ChildPairs } from './properties.ts';
import { SharedReferences } from './shared-references.ts';
import { exactType, quickType, type ValueType } from './value-type.ts';

/** Losses listed; further ones are counted. */
const LISTED = 100;

class Losses {
  readonly #list: Loss[] = [];
  #more = 0;

  get full(): boolean {
    return this.#list.length >= LISTED;
  }

  add(path: () => string, what: string): void {
    if (this.full) this.#more++;
    else this.#list.push({ path: path(), what });
  }

  all(): Loss[] {
    if (this.#more === 0) return this.#list;
    return [...this.#list, { path: '$', what: `${this.#more} more losses` }];
  }
}

interface OpenPair extends ChildPairs {
  at: number;
}

const PRIMITIVES: ReadonlySet<ValueType> = new Set<ValueType>([
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
  run(original: unknown, restored: unknown): Loss[] {
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
      this.losses.add(() => path, 'shared buffer became a copy');
    return this.losses.all();
  }

  #path(depth: number, step?: TrailStep): string {
    return step === undefined
      ? pathOfTrail(this.#trail, depth)
      : pathOfTrail([...this.#trail.slice(0, depth + 1), step], depth + 1);
  }

  #report(what: string, step?: TrailStep): void {
    this.losses.add(() => this.#path(this.#stack.length, step), what);
  }

  #types(a: unknown, b: unknown): [ValueType, ValueType] {
    const [typeA, typeB] = [quickType(a), quickType(b)];
    return typeA === typeB ? [typeA, typeB] : [exactType(a), exactType(b)];
  }

  #visit(a: unknown, b: unknown): void {
    if (Object.is(a, b) && (a === null || typeof a !== 'object')) return;
    const [typeA, typeB] = this.#types(a, b);
    if (typeA !== typeB || PRIMITIVES.has(typeA)) this.#report(primitiveDifference(a, b, typeA, typeB));
    else this.#visitObjects(a as object, b as object, typeA);
  }

  #visitObjects(a: object, b: object, type: ValueType): void {
    const pair = this.#shared.pair(a, b);
    if (pair === 'known') return;
    if (pair !== 'new') {
      this.#report(pair.lost);
      if (!pair.goOn) return;
    }
    this.#recordBytes(a, b, type);
    if (a === b) return;
    this.#compareClasses(a, b, type);
    const pairs = childPairs(a, b, type, (what, step) => this.#report(what, step));
    if (pairs !== null && pairs.left.length > 0) this.#stack.push({ ...pairs, at: 0 });
  }

  #compareClasses(a: object, b: object, type: ValueType): void {
    const prototype = Object.getPrototypeOf(a) as unknown;
    if (prototype === Object.getPrototypeOf(b) || type === 'function') return;
    const [nameA, nameB] = [className(a, type), className(b, type)];
    const bothViews = type === 'view' && !nameA.startsWith('class') && !nameB.startsWith('class');
    if (nameA !== nameB && !bothViews) this.#report(`${nameA} became ${nameB}`);
  }

  #recordBytes(a: object, b: object, type: ValueType): void {
    if (type !== 'view' && type !== 'arraybuffer') return;
    const path = this.#path(this.#stack.length);
    if (type === 'view') {
      const [viewA, viewB] = [a as ArrayBufferView, b as ArrayBufferView];
      const start = viewA.byteOffset;
      this.#shared.addRange(viewA.buffer, viewB.buffer, start, start + viewA.byteLength, path);
    } else this.#shared.addRange(a, b, 0, (a as ArrayBuffer).byteLength, path);
  }
}

/**
 * What `restored` lost against `original`, at most 100 losses and then one that counts the rest; [] when they are
 * equal. Paths are concrete (see paths.ts), cut in the middle when very long.
 *
 * Compared: types by internal slots, classes, own properties including symbol keys and non-enumerable ones, holes, -0,
 * NaN, order and content of Map and Set, bytes of buffers and views, which values are one and the same object. Not
 * compared: key order, property attributes, stack texts, buffer bytes outside a view, named properties of views, and
 * non-enumerable properties of arrays from 1,000 items on. A getter of the original is never called: its loss is "getter
 * became a value". To find what a rewrite loses beyond the clone itself, pass a plain clone as `original`. Nothing is
 * mutated; neither value may hold a Proxy.
 */
export function compare(original: unknown, restored: unknown): Loss[] {
  return new Comparison().run(original, restored);
}
