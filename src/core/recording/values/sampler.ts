/**
 * A message as a tree of data: the values that are visited, and how they are stored. It runs inside the recorded
 * program, before the message is posted: no getter, no trap and no `toJSON` of the program's is called.
 */
import type {
  ArrayNode,
  BufferNode,
  ErrorNode,
  MapNode,
  NodeFacts,
  ObjectNode,
  SetNode,
  TextNode,
  TreeNode,
  ValueTree,
} from '../../../model/documents/recorded/value-tree.ts';
import { type Flag, type Kind, STORED_FLAGS } from '../../../model/vocabulary/shape.ts';
import { listFlags, STRUCTURE } from '../../describe/inspect/flags.ts';
import {
  type InspectedObject,
  type KnownObject,
  ObjectInspector,
} from '../../describe/inspect/object-inspector.ts';
import type { Probe } from '../../describe/inspect/probe.ts';
import { unboxed } from '../../value/intrinsics.ts';
import { filter } from '../../value/lists.ts';
import { isObject, ownData, ownStack } from '../../value/own-data.ts';
import { visitChildren } from './children.ts';
import { leafOf, Memory, type MemoryOptions, type SeenBuffers, type SeenView } from './leaves.ts';
import { MaskedTexts, TreeMask } from './masked-tree.ts';
import type { Chance } from './masks.ts';
import { ITEMS } from './tree-children.ts';

export interface SampleOptions extends MemoryOptions {
  probe: Pick<Probe, 'types' | 'storage'>;
  chance: Chance;
  /** About how many values may be visited. */
  nodes: number;
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

/** Facts that the tree holds otherwise, that follow from what is in it, or that nothing depends on. */
const IMPLIED: ReadonlySet<Flag> = new Set<Flag>([
  ...(['empty', 'indexed-key', 'proto-key', 'named-props', 'holes', 'repeated', 'cycle'] as const),
  ...(['after-bigint', 'one-byte', 'two-byte', 'packed-smi'] as const),
  ...(['history-unknown', 'dictionary-unknown', 'share-unknown', 'undecided', 'has-cause'] as const),
  ...(['cause-not-text', 'units-over-128', 'units-from-256', 'bytes-from-514', 'transferable'] as const),
]);

function keptFlags(kind: Kind, bits: number, stored: number): { flags?: Flag[] } {
  const flags = filter(listFlags(kind, bits, stored), (flag) => !IMPLIED.has(flag));
  return flags.length === 0 ? {} : { flags };
}

type Facts = Pick<NodeFacts, 'flags' | 'tag'>;

/** The node of a value that was met: further times refer to it. */
interface Met {
  node: NodeFacts;
  /** It is a child of the container that is sampled, not met inside of one. */
  isTaken: boolean;
}

/** Number of elements of an array that was read in part: holes are assumed to be as frequent in the rest. */
function elementsOf({ size, steps, values }: InspectedObject, limit: number): number {
  if (steps === null) return size;
  const elements = filter(steps, (step) => typeof step === 'number').length;
  const read = Math.ceil(size / Math.ceil(size / limit));
  return elements === 0 || values.length === 0 ? size : Math.round((size * elements) / read);
}

/** Place of a value, and approximate number of values that may be visited in it. */
interface Spot {
  nodes: number;
  depth: number;
  /** Key of the property that it is in, and the lists in between: such objects often have the same keys. */
  place: string;
}

/** @param step missing for a value in a slot of its container */
const below = ({ place, depth }: Spot, nodes: number, step = ''): Spot => ({
  ...{ nodes, depth: depth + 1 },
  place: step === '' || step === ITEMS ? place + step : step,
});

function numberNode(value: number): ValueTree {
  const isJson = value - value === 0 && (value !== 0 || 1 / value > 0);
  return isJson ? value : { is: 'number', number: value === 0 ? '-0' : String(value) };
}

export class Sample {
  readonly #options: SampleOptions;
  readonly #inspector: ObjectInspector;
  readonly #memory: Memory;
  readonly #masked = new MaskedTexts();
  readonly #met = new Map<object, Met>();
  readonly #known = new Map<string, KnownObject[]>();
  readonly #errors: { node: ErrorNode; error: object }[] = [];
  #ids = 0;
  readonly tree: ValueTree;
  /** Values that were visited. */
  visited = 0;
  /** True if some values, or values inside them, were not visited. */
  isPart = false;
  /** Serializing what was visited runs nothing of the program's. */
  isSafe = true;

  constructor(value: unknown, options: SampleOptions) {
    this.#options = options;
    this.#inspector = new ObjectInspector({ ...options.probe, utf8Bytes: (text) => text.length });
    this.#memory = new Memory(options);
    const { nodes, values, chance } = options;
    const tree = this.#any(value, { nodes, depth: 0, place: '' });
    this.tree = values === 'kept' ? tree : new TreeMask(values, chance, this.#masked).mask(tree);
  }

  get buffers(): SeenBuffers {
    return this.#memory.buffers;
  }

  #any(value: unknown, at: Spot): ValueTree {
    this.visited++;
    if (typeof value === 'string') return this.#text(value, at.depth);
    if (typeof value === 'number') return numberNode(value);
    if (typeof value === 'object' && value !== null) return this.#object(value, at);
    if (value === undefined) return { is: 'undefined' };
    if (value === null) return null;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'bigint') return { is: 'bigint', bigint: String(value) };
    const isProxy = typeof value === 'function' && this.#options.probe.types.isProxy(value);
    return this.#left(isProxy ? 'proxy' : typeof value);
  }

  #text(text: string, depth: number): ValueTree {
    const { values, probe } = this.#options;
    const flags = keptFlags('string', 0, probe.storage.string(text, depth));
    const node: TextNode = { is: 'text', units: text.length, ...flags };
    if (values === 'kept' && this.#memory.spend(2 * text.length))
      return flags.flags === undefined ? text : { ...node, text };
    if (values === 'kept') this.isPart = true;
    this.#masked.add(node, text);
    return node;
  }

  #left(left: string): ValueTree {
    this.isSafe = false;
    return { is: 'left', left };
  }

  #object(value: object, at: Spot): ValueTree {
    const before = this.#met.get(value);
    if (before !== undefined) return this.#again(before);
    if (this.#options.probe.types.isProxy(value)) return this.#left('proxy');
    if (at.depth > MAX_DEPTH) {
      this.isPart = true;
      return this.#left('too deep');
    }
    return Array.isArray(value) ? this.#array(value, at) : this.#other(value, at);
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

  #other(value: object, at: Spot): ValueTree {
    const { nodes, depth, place } = at;
    const known = this.#inspector.asKnown(value, this.#knownAt(place));
    if (known !== null) return this.#properties(value, known, at);
    const type = this.#options.probe.types.of(value);
    const memory = this.#memory.of(value, type.kind, this.#inspector.prototypes);
    if (memory !== null) return 'behind' in memory ? this.#view(value, memory) : this.#buffer(value, memory);
    this.#inspector.limit = Math.max(LEAST_CHILDREN, nodes);
    const found = this.#inspector.of(value, type, depth, this.#knownAt(place));
    const { kind } = found;
    if (kind === 'object' || kind === 'arguments') return this.#properties(value, found, at);
    if (kind === 'map' || kind === 'set') return this.#collection(value, found, at);
    const facts = this.#factsOf(found);
    if (kind === 'error') return this.#error(value, found, at);
    if (kind === 'date' || kind === 'regexp') return this.#meet(value, { ...leafOf[kind](value), ...facts });
    const inner = kind === 'boxed' ? unboxed(value) : undefined;
    if (kind !== 'boxed' || typeof inner === 'symbol') return this.#left(found.tag ?? kind);
    const node = this.#meet(value, { is: 'boxed' as const, value: null as ValueTree, ...facts });
    node.value = this.#any(inner, below(at, 1));
    return node;
  }

  #knownAt(place: string): KnownObject[] {
    const known = this.#known.get(place) ?? [];
    this.#known.set(place, known);
    return known;
  }

  #buffer(buffer: object, node: BufferNode): ValueTree {
    if (node.shared === true) this.isSafe = false;
    const before = this.#met.get(buffer);
    return before === undefined ? this.#meet(buffer, node) : this.#again(before);
  }

  /** Adds the view and the buffer behind it, which other views may share. */
  #view(value: object, { node, behind }: SeenView): ValueTree {
    if (behind.node.shared === true) this.isSafe = false;
    node.on = this.#buffer(behind.buffer, behind.node);
    return this.#meet(value, node);
  }

  #factsOf({ kind, bits, stored, tag }: InspectedObject): Facts {
    if ((bits & STRUCTURE.accessor) !== 0) this.isSafe = false;
    return { ...keptFlags(kind, bits, stored), ...(tag !== undefined && { tag }) };
  }

  #properties(value: object, found: InspectedObject, at: Spot): ValueTree {
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
          entry[1] = this.#any(values[i], below(at, left, key));
        },
      },
      at.nodes,
      this,
    );
    if (isSome || size > values.length) {
      node.of = size;
      this.isPart = true;
    }
    return node;
  }

  #array(value: unknown[], at: Spot): ValueTree {
    const isNumeric = typeof ownData(value, 0) === 'number';
    const limit = Math.max(LEAST_CHILDREN, Math.ceil(at.nodes / (isNumeric ? NUMBER_NODES : 1)));
    this.#inspector.limit = limit;
    const found = this.#inspector.array(value, at.depth);
    const { values, size, numbers } = found;
    const node = this.#meet<ArrayNode>(value, { is: 'array', items: [], ...this.#arrayFacts(found) });
    const { items } = node;
    const indices = numbers ? this.#numbers(node, found) : this.#items(node, found, at);
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
    for (let i = 0; i < values.length; i++) items.push(numberNode(values[i] as number));
    this.visited += values.length * NUMBER_NODES;
    return filter(steps ?? [], (step) => typeof step === 'number');
  }

  /** @returns the indices of the items */
  #items(node: ArrayNode, { steps, values }: InspectedObject, at: Spot): number[] {
    const indices: number[] = [];
    visitChildren(
      {
        count: values.length,
        at: (i) => values[i],
        visit: (i, left) => {
          const step = steps === null ? i : steps[i]!;
          if (typeof step === 'string') {
            node.named ??= [];
            node.named.push([step, this.#any(values[i], below(at, left, step))]);
            return;
          }
          indices.push(step as number);
          node.items.push(this.#any(values[i], below(at, left, ITEMS)));
          this.#take(values[i]);
        },
      },
      at.nodes,
      this,
    );
    return indices;
  }

  #metOf(child: unknown): Met | undefined {
    return isObject(child) ? this.#met.get(child) : undefined;
  }

  /** Marks a child that was met inside a different child before as taken there. */
  #take(child: unknown): void {
    const met = this.#metOf(child);
    if (met !== undefined) met.isTaken = true;
  }

  /** Sets the share of children that were met inside others: in a graph, each would count again and again. */
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

  /** In a Map, each key is followed by its value. */
  #collection(value: object, found: InspectedObject, spot: Spot): MapNode | SetNode {
    const { kind, values, size } = found;
    const facts = this.#factsOf(found);
    const node = this.#meet<MapNode | SetNode>(
      value,
      kind === 'map' ? { is: 'map', entries: [], ...facts } : { is: 'set', items: [], ...facts },
    );
    const step = kind === 'map' ? 2 : 1;
    const count = Math.min(size, values.length / step);
    const at = (i: number): unknown => values[step * i + step - 1];
    const visit = (i: number, left: number) => {
      const one = (child: unknown) => this.#any(child, below(spot, left, ITEMS));
      if (node.is === 'map') node.entries.push([one(values[step * i]), one(at(i))]);
      else node.items.push(one(at(i)));
      this.#take(at(i));
    };
    const isSome = visitChildren({ count, at, visit }, spot.nodes, this);
    if (isSome || count < size) {
      this.isPart = true;
      node.of = size;
      this.#tellInside(node, values);
    }
    return node;
  }

  #error(value: object, found: InspectedObject, at: Spot): ValueTree {
    const node = this.#meet<ErrorNode>(value, { is: 'error', ...this.#factsOf(found) });
    const { steps, values } = found;
    const parts: Pick<ErrorNode, 'message' | 'cause'> = node;
    for (let i = 0; i < values.length; i++)
      parts[steps![i] as 'message' | 'cause'] = this.#any(values[i], below(at, 8));
    // Reading its stack may run code of the program's.
    this.isSafe = false;
    this.#errors.push({ node, error: value });
    return node;
  }

  /**
   * Adds to the tree what reading would change: ropes are flattened, stacks are made.
   *
   * @param isPosted false: leave out the changes that posting the message makes itself
   */
  finish(isPosted: boolean): void {
    this.#masked.finish();
    // Made of its frames when it is first read: posting it has done so.
    if (isPosted && this.#options.isText !== true)
      for (let i = 0; i < this.#errors.length; i++) {
        const { node, error } = this.#errors[i]!;
        const stack = ownStack(error);
        if (typeof stack === 'string') node.stack = stack.length;
      }
    this.#errors.length = 0;
    this.#memory.finish();
  }
}
