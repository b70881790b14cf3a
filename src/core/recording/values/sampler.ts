/**
 * A message as a tree of data: the values that are visited, and how they are stored. It runs inside the recorded program, before the
 * message is posted: no getter, no trap and no `toJSON` of the program's is called.
 */
import type {
  ArrayNode,
  BufferNode,
  ErrorNode,
  MapNode,
  NodeFacts,
  ObjectNode,
  SetNode,
  TreeNode,
  ValueTree,
} from '../../../model/documents/recorded/value-tree.ts';
import { type Flag, STORED_FLAGS } from '../../../model/vocabulary/shape.ts';
import { STRUCTURE } from '../../describe/inspect/flags.ts';
import {
  type InspectedObject,
  type KnownObject,
  ObjectInspector,
} from '../../describe/inspect/object-inspector.ts';
import { unboxed } from '../../value/intrinsics.ts';
import { filter } from '../../value/lists.ts';
import { isObject, ownData, ownStack } from '../../value/own-data.ts';
import { visitChildren } from './children.ts';
import { dateOf, Memory, regexpOf, type SeenBuffers, type SeenView } from './leaves.ts';
import { ITEMS, maskedDate, maskKeys, Place } from './masks.ts';
import type { SampleOptions } from './sample-options.ts';
import { keptFlags, Scalars } from './scalars.ts';

export interface Sample {
  tree: ValueTree;
  /** Values that were visited. */
  visited: number;
  /** Not all values were visited, or not all that they hold. */
  isPart: boolean;
  /** Serializing what was visited runs nothing of the program's. */
  isSafe: boolean;
  buffers: SeenBuffers;
  /**
   * Adds to the tree what reading would change: ropes are flattened, stacks are made.
   *
   * @param isPosted false: not what posting the message does itself
   */
  finish(isPosted: boolean): void;
}

/** Each level of a value is up to three levels of the record's JSON. */
const MAX_DEPTH = 150;
/** Weight of a number in nodes: numbers are visited faster than objects. */
const NUMBER_NODES = 1 / 4;
/** Children of one container that are looked up among the values that were met. */
const MAX_LOOKED_UP = 512;
/** Children that are read of any container. */
const LEAST_CHILDREN = 4;

/** Flags of stored elements: they follow from the elements, unless these are numbers or there are none. */
const ELEMENTS: ReadonlySet<Flag> = new Set<Flag>(
  filter(STORED_FLAGS, (flag) => /^(?:packed|int32|double|contiguous)/.test(flag)),
);

type Facts = Pick<NodeFacts, 'flags' | 'tag'>;

/** The node of a value that was met: further times refer to it. */
interface Met {
  node: NodeFacts;
  /** It is a child of the container that is sampled, not met inside of one. */
  isTaken: boolean;
}

/** Number of elements of an array of which a part was read: holes are assumed to be as frequent in the rest. */
function elementsOf({ size, steps, values }: InspectedObject, limit: number): number {
  if (steps === null) return size;
  const elements = filter(steps, (step) => typeof step === 'number').length;
  const read = Math.ceil(size / Math.ceil(size / limit));
  return elements === 0 || values.length === 0 ? size : Math.round((size * elements) / read);
}

export function sampleOf(value: unknown, options: SampleOptions): Sample {
  const sampler = new Sampler(options);
  const tree = sampler.any(value, options.nodes, 0, sampler.root);
  if (options.mask !== 'none') maskKeys([sampler.root]);
  return {
    tree,
    visited: Math.ceil(sampler.visited),
    isPart: sampler.isPart,
    isSafe: sampler.isSafe,
    buffers: sampler.memory.buffers,
    finish: (isPosted) => sampler.finish(isPosted),
  };
}

class Sampler {
  readonly #options: SampleOptions;
  readonly #inspector: ObjectInspector;
  readonly memory: Memory;
  readonly #scalars: Scalars;
  readonly root = new Place();
  readonly #met = new Map<object, Met>();
  readonly #known = new Map<Place, KnownObject[]>();
  readonly #errors: { node: ErrorNode; error: object }[] = [];
  #ids = 0;
  visited = 0;
  isPart = false;
  isSafe = true;

  constructor(options: SampleOptions) {
    this.#options = options;
    this.#inspector = new ObjectInspector({ ...options.probe, utf8Bytes: (text) => text.length });
    this.memory = new Memory(options);
    this.#scalars = new Scalars(options);
  }

  any(value: unknown, nodes: number, depth: number, place: Place): ValueTree {
    this.visited++;
    if (typeof value === 'string') return this.#text(value, depth);
    if (typeof value === 'number') return this.#scalars.number(value);
    if (typeof value === 'object' && value !== null) return this.#object(value, nodes, depth, place);
    if (value === undefined) return { is: 'undefined' };
    if (value === null) return null;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'bigint') return this.#scalars.bigint(value);
    const isProxy = typeof value === 'function' && this.#options.probe.types.isProxy(value);
    return this.#left(isProxy ? 'proxy' : typeof value);
  }

  #text(text: string, depth: number): ValueTree {
    const isKept = this.#options.mask === 'none' && this.memory.spend(2 * text.length);
    if (this.#options.mask === 'none' && !isKept) this.isPart = true;
    return this.#scalars.text(text, depth, isKept);
  }

  #left(left: string): ValueTree {
    this.isSafe = false;
    return { is: 'left', left };
  }

  #object(value: object, nodes: number, depth: number, place: Place): ValueTree {
    const before = this.#met.get(value);
    if (before !== undefined) return this.#again(before);
    if (this.#options.probe.types.isProxy(value)) return this.#left('proxy');
    if (depth > MAX_DEPTH) {
      this.isPart = true;
      return this.#left('too deep');
    }
    return Array.isArray(value)
      ? this.#array(value, nodes, depth, place)
      : this.#other(value, nodes, depth, place);
  }

  #again({ node }: Met): ValueTree {
    node.id ??= this.#ids++;
    return { is: 'same', id: node.id };
  }

  /** Called before its children are visited, which may refer to it. */
  #meet<N extends NodeFacts & TreeNode>(value: object, node: N): N {
    this.#met.set(value, { node, isTaken: false });
    return node;
  }

  #other(value: object, nodes: number, depth: number, place: Place): ValueTree {
    const known = this.#inspector.asKnown(value, this.#knownAt(place));
    if (known !== null) return this.#properties(value, known, nodes, depth, place);
    const type = this.#options.probe.types.of(value);
    const memory = this.memory.of(value, type.kind, this.#inspector.prototypes);
    if (memory !== null) return 'behind' in memory ? this.#view(value, memory) : this.#buffer(value, memory);
    this.#inspector.limit = Math.max(LEAST_CHILDREN, nodes);
    const found = this.#inspector.of(value, type, depth, this.#knownAt(place));
    const { kind } = found;
    if (kind === 'object' || kind === 'arguments') return this.#properties(value, found, nodes, depth, place);
    if (kind === 'map' || kind === 'set') return this.#collection(value, found, nodes, depth, place);
    const facts = this.#factsOf(found);
    if (kind === 'error') return this.#error(value, found, depth, place);
    const { mask, chance } = this.#options;
    if (kind === 'date') {
      const date = dateOf(value);
      return this.#meet(value, {
        is: 'date',
        date: date === null || mask !== 'all' ? date : maskedDate(date, chance),
        ...facts,
      });
    }
    if (kind === 'regexp') {
      const { source, letters } = regexpOf(value);
      return this.#meet(value, {
        is: 'regexp',
        source: mask === 'none' ? source : 'x'.repeat(source.length),
        letters,
        ...facts,
      });
    }
    const inner = kind === 'boxed' ? unboxed(value) : undefined;
    if (kind !== 'boxed' || typeof inner === 'symbol') return this.#left(found.tag ?? kind);
    const node = this.#meet(value, { is: 'boxed' as const, value: null as ValueTree, ...facts });
    node.value = this.any(inner, 1, depth + 1, place);
    return node;
  }

  #knownAt(place: Place): KnownObject[] {
    const known = this.#known.get(place) ?? [];
    this.#known.set(place, known);
    return known;
  }

  #buffer(buffer: object, node: BufferNode): ValueTree {
    if (node.shared === true) this.isSafe = false;
    const before = this.#met.get(buffer);
    return before === undefined ? this.#meet(buffer, node) : this.#again(before);
  }

  /** With the buffer behind it, which other views may be on too. */
  #view(value: object, { node, behind }: SeenView): ValueTree {
    if (behind.node.shared === true) this.isSafe = false;
    node.on = this.#buffer(behind.buffer, behind.node);
    return this.#meet(value, node);
  }

  #factsOf({ kind, bits, stored, tag }: InspectedObject): Facts {
    if ((bits & STRUCTURE.accessor) !== 0) this.isSafe = false;
    return { ...keptFlags(kind, bits, stored), ...(tag !== undefined && { tag }) };
  }

  #properties(value: object, found: InspectedObject, nodes: number, depth: number, place: Place): ValueTree {
    const { kind, steps, values, size } = found;
    const entries: ObjectNode['entries'] = [];
    const is = kind === 'arguments' ? kind : 'object';
    const node = this.#meet<ObjectNode>(value, { is, entries, ...this.#factsOf(found) });
    const isSome = visitChildren(
      {
        count: values.length,
        at: (i) => values[i],
        visit: (i, left) => {
          const key = steps![i] as string;
          const entry: [string, ValueTree] = [key, null];
          entries.push(entry);
          entry[1] = this.any(values[i], left, depth + 1, place.child(key));
        },
      },
      nodes,
      this,
    );
    if (this.#options.mask !== 'none') place.add(entries, size);
    if (isSome || size > values.length) {
      node.of = size;
      this.isPart = true;
    }
    return node;
  }

  #array(value: unknown[], nodes: number, depth: number, place: Place): ValueTree {
    const isNumeric = typeof ownData(value, 0) === 'number';
    const limit = Math.max(LEAST_CHILDREN, Math.ceil(nodes / (isNumeric ? NUMBER_NODES : 1)));
    this.#inspector.limit = limit;
    const found = this.#inspector.array(value, depth);
    const { values, size, numbers } = found;
    const node = this.#meet<ArrayNode>(value, { is: 'array', items: [], ...this.#arrayFacts(found) });
    const { items } = node;
    const indices = numbers ? this.#numbers(node, found) : this.#items(node, found, nodes, depth, place);
    const isPart = size > limit || items.length + (node.named?.length ?? 0) < values.length;
    if (isPart) this.isPart = true;
    if (isPart || items.length < size) node.of = isPart ? elementsOf(found, limit) : size;
    if (!isPart && items.length < size) node.at = indices;
    if (isPart && !numbers) this.#tellInside(node, values);
    return node;
  }

  #arrayFacts(found: InspectedObject): Facts {
    const facts = this.#factsOf(found);
    if (found.size === 0 || found.numbers) return facts;
    const { flags = [], ...rest } = facts;
    const kept = filter(flags, (flag) => !ELEMENTS.has(flag));
    return kept.length === 0 ? rest : { flags: kept, ...rest };
  }

  /** @returns the indices of the items; none if there is every index from 0 */
  #numbers({ items }: ArrayNode, { steps, values }: InspectedObject): number[] {
    for (let i = 0; i < values.length; i++) items.push(this.#scalars.number(values[i] as number));
    this.visited += values.length * NUMBER_NODES;
    return filter(steps ?? [], (step) => typeof step === 'number');
  }

  /** @returns the indices of the items */
  #items(
    node: ArrayNode,
    { steps, values }: InspectedObject,
    nodes: number,
    depth: number,
    place: Place,
  ): number[] {
    const indices: number[] = [];
    const below = place.child(ITEMS);
    visitChildren(
      {
        count: values.length,
        at: (i) => values[i],
        visit: (i, left) => {
          const step = steps === null ? i : steps[i]!;
          if (typeof step === 'string') {
            node.named ??= [];
            node.named.push([step, this.any(values[i], left, depth + 1, place.child(step))]);
            return;
          }
          indices.push(step as number);
          node.items.push(this.any(values[i], left, depth + 1, below));
          this.#take(values[i]);
        },
      },
      nodes,
      this,
    );
    return indices;
  }

  #metOf(child: unknown): Met | undefined {
    return isObject(child) ? this.#met.get(child) : undefined;
  }

  /** A child that was met inside of another one before was taken there. */
  #take(child: unknown): void {
    const met = this.#metOf(child);
    if (met !== undefined) met.isTaken = true;
  }

  /** Sets the share of children that were met inside of others: in a graph, each would count again and again. */
  #tellInside(node: ArrayNode | SetNode | MapNode, values: ArrayLike<unknown>): void {
    let [inside, read] = [0, 0];
    const stride = Math.ceil(values.length / MAX_LOOKED_UP) || 1;
    for (let i = 0; i < values.length; i += stride) {
      const met = this.#metOf(values[i]);
      if (met !== undefined && !met.isTaken) inside++;
      read++;
    }
    if (inside > 0) node.inside = inside / read;
  }

  /** Of a Map each key is followed by its value. */
  #collection(
    value: object,
    found: InspectedObject,
    nodes: number,
    depth: number,
    place: Place,
  ): MapNode | SetNode {
    const { kind, values, size } = found;
    const facts = this.#factsOf(found);
    const node = this.#meet<MapNode | SetNode>(
      value,
      kind === 'map' ? { is: 'map', entries: [], ...facts } : { is: 'set', items: [], ...facts },
    );
    const below = place.child(ITEMS);
    const step = kind === 'map' ? 2 : 1;
    const count = Math.min(size, values.length / step);
    const at = (i: number): unknown => values[step * i + step - 1];
    const visit = (i: number, left: number) => {
      const one = (child: unknown) => this.any(child, left, depth + 1, below);
      if (node.is === 'map') node.entries.push([one(values[step * i]), one(at(i))]);
      else node.items.push(one(at(i)));
      this.#take(at(i));
    };
    const isSome = visitChildren({ count, at, visit }, nodes, this);
    if (isSome || count < size) {
      this.isPart = true;
      node.of = size;
      this.#tellInside(node, values);
    }
    return node;
  }

  #error(value: object, found: InspectedObject, depth: number, place: Place): ValueTree {
    const node = this.#meet<ErrorNode>(value, { is: 'error', ...this.#factsOf(found) });
    const { steps, values } = found;
    const parts: Pick<ErrorNode, 'message' | 'cause'> = node;
    for (let i = 0; i < values.length; i++)
      parts[steps![i] as 'message' | 'cause'] = this.any(values[i], 8, depth + 1, place);
    // Reading its stack may run code of the program's.
    this.isSafe = false;
    this.#errors.push({ node, error: value });
    return node;
  }

  /** Reads what was put off: it may change how the engine stores the message, or is made when the message is posted. */
  finish(isPosted: boolean): void {
    this.#scalars.finish();
    // Made of its frames when it is first read: posting it has done so.
    if (isPosted && this.#options.isText !== true)
      for (let i = 0; i < this.#errors.length; i++) {
        const { node, error } = this.#errors[i]!;
        const stack = ownStack(error);
        if (typeof stack === 'string') node.stack = stack.length;
      }
    this.#errors.length = 0;
    this.memory.finish();
  }
}
