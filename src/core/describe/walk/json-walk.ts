/**
 * The walk for values that came straight out of JSON.parse: plain objects and arrays without accessors, holes, cycles
 * or shared references, so that plain reads are safe and visited objects are not tracked.
 */
import type { Kind } from '../../../model/vocabulary/shape.ts';
import type { TrailStep } from '../../paths.ts';
import { readElements } from '../../value/array-reads.ts';
import { isIndexKey, ownData } from '../../value/own-data.ts';
import { STRUCTURE } from '../inspect/flags.ts';
import type { ElementFacts, Storage } from '../inspect/probe.ts';
import type { PatternNode, ShapeBuilder } from '../shape/shape-builder.ts';
import { Scalars } from './scalars.ts';

type Plain = Record<string, unknown>;

/** A container to walk, or an array interrupted at `cursor` because one of its elements is above it on the stack. */
interface PendingContainer {
  /** An interrupted array: its elements. */
  value: object;
  node: PatternNode;
  depth: number;
  step: TrailStep;
  parent: Kind | null;
  /** -1 before the container was added to the shape. */
  cursor: number;
}

const UNDERSCORE = 95;

export class JsonWalk {
  readonly #builder: ShapeBuilder;
  readonly #storage: Storage;
  readonly #scalars: Scalars;
  readonly #stack: PendingContainer[] = [];
  /** Overwritten for each array: an array of numbers allocates nothing. */
  readonly #facts: ElementFacts = { length: 0, holes: false, content: 'none', nan: false, observed: 0 };

  constructor(builder: ShapeBuilder, storage: Storage) {
    this.#builder = builder;
    this.#storage = storage;
    this.#scalars = new Scalars(builder, storage);
  }

  walk(root: unknown): void {
    const { root: node } = this.#builder;
    if (typeof root !== 'object' || root === null) this.#scalar(root, node, 0, null);
    else this.#stack.push({ value: root, node, depth: 0, step: '', parent: null, cursor: -1 });
    for (;;) {
      const top = this.#stack.at(-1);
      if (top === undefined) return;
      this.#builder.trail[top.depth] = top.step;
      if (top.cursor >= 0) this.#elements(top);
      else if (Array.isArray(top.value)) this.#array(top, top.value);
      else {
        this.#stack.pop();
        this.#object(top.value as Plain, top.node, top.depth, top.parent);
      }
    }
  }

  #scalar(value: unknown, node: PatternNode, depth: number, parent: Kind | null): void {
    if (typeof value === 'string') this.#scalars.string(value, node, depth, parent);
    else if (typeof value === 'number') this.#scalars.number(value, node, depth, parent);
    else this.#builder.add(node, depth, parent, value === null ? 'null' : 'boolean', 0, 0);
  }

  #object(value: Plain, node: PatternNode, depth: number, parent: Kind | null): void {
    const builder = this.#builder;
    const keys = Object.keys(value);
    const below = depth + 1;
    const height = this.#stack.length;
    let bits = keys.length === 0 ? STRUCTURE.empty : 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      if (i === 0 && isIndexKey(key)) bits |= STRUCTURE['indexed-key'];
      if (key.charCodeAt(0) === UNDERSCORE && key === '__proto__') bits |= STRUCTURE['proto-key'];
      // An index may be kept like an element of an array.
      const child = (bits & STRUCTURE['indexed-key']) !== 0 ? ownData(value, key) : value[key];
      const at = builder.property(node, key, i);
      if (typeof child === 'object' && child !== null)
        this.#stack.push({ value: child, node: at, depth: below, step: key, parent: 'object', cursor: -1 });
      else {
        builder.trail[below] = key;
        this.#scalar(child, at, below, 'object');
      }
    }
    this.#reverseAbove(height);
    const stored = this.#storage.object(value, depth, bits, keys.length);
    builder.add(node, depth, parent, 'object', bits, stored).addSize(keys.length);
  }

  /** The last pushed is walked first: reverses those above `height`, so that examples are the first of their kind. */
  #reverseAbove(height: number): void {
    for (let low = height, high = this.#stack.length - 1; low < high; low++, high--) {
      const swapped = this.#stack[low]!;
      this.#stack[low] = this.#stack[high]!;
      this.#stack[high] = swapped;
    }
  }

  #array(top: PendingContainer, value: unknown[]): void {
    const { node, depth } = top;
    const facts = this.#facts;
    const numbers = this.#storage.numbers(value);
    const elements = numbers ?? readElements(value);
    const { length } = elements;
    const end =
      numbers === null ? this.#scalars.countNumbers(elements) : this.#scalars.countAllNumbers(numbers);
    facts.content = 'none';
    if (end > 0) facts.content = this.#scalars.addNumbers(this.#builder.items(node), depth + 1, null);
    if (end < length) facts.content = 'mixed';
    facts.length = length;
    facts.observed = length === 0 ? STRUCTURE.empty : 0;
    const stored = this.#storage.array(value, depth, facts);
    this.#builder.add(node, depth, top.parent, 'array', facts.observed, stored).addSize(length);
    if (end === length) this.#stack.pop();
    else {
      top.value = elements;
      top.cursor = end;
    }
  }

  #elements(top: PendingContainer): void {
    const value = top.value as unknown[];
    const builder = this.#builder;
    const at = builder.items(top.node);
    const depth = top.depth + 1;
    const height = this.#stack.length;
    for (let i = top.cursor; i < value.length; i++) {
      const element = value[i];
      builder.trail[depth] = i;
      if (typeof element !== 'object' || element === null) {
        this.#scalar(element, at, depth, 'array');
        continue;
      }
      // A flat object is done at once; only one that holds containers interrupts the array.
      if (!Array.isArray(element)) this.#object(element as Plain, at, depth, 'array');
      else this.#stack.push({ value: element, node: at, depth, step: i, parent: 'array', cursor: -1 });
      if (this.#stack.length === height) continue;
      top.cursor = i + 1;
      return;
    }
    this.#stack.pop();
  }
}
