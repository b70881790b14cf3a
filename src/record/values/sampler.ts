/** Makes a tree of a message before it is posted: no getter, trap or `toJSON` of the program is called. */
import type * as trees from '../../model/documents/recorded/value-tree.ts';
import { FLAGS_OF, type Flag, type Kind } from '../../model/vocabulary/shape.ts';
import { listFlags, STRUCTURE } from '../../value/describe/inspect/flags.ts';
import * as inspect from '../../value/describe/inspect/object-inspector.ts';
import type { Probe } from '../../value/describe/inspect/storage.ts';
import { callOn, DATE, readLength, regexpOf, unboxed } from '../../value/read/intrinsics.ts';
import { filter } from '../../value/read/lists.ts';
import { isObject, ownData, ownStack } from '../../value/read/own-data.ts';
import { spreadShare } from '../../value/read/spread.ts';
import { type Chance, MaskedTexts, maskTree } from './masks.ts';
import { Memory, type MemoryOptions, type SeenMemory } from './seen-memory.ts';

export interface SampleOptions extends MemoryOptions {
  probe: Pick<Probe, 'types' | 'storage'>;
  chance: Chance;
  nodes: number;
}

/** Each level of a value is up to three levels of the record's JSON. */
const MAX_DEPTH = 150;
/** Objects with more keys are dictionaries rather than records. */
const MAX_FIELDS = 32;
/** Weight of a number in nodes: numbers are visited faster than objects. */
const NUMBER_NODES = 1 / 4;
const LEAST_CHILDREN = 4;

/** Flags of stored elements: they follow from the elements, unless these are numbers or there are none. */
const ELEMENTS: ReadonlySet<Flag> = new Set<Flag>(
  filter(FLAGS_OF.stored, (flag) => /^(?:packed|int32|double|contiguous)/.test(flag)),
);

/** Facts that the tree holds otherwise, that follow from what is in it, or that nothing depends on. */
const IMPLIED: ReadonlySet<Flag> = new Set<Flag>([
  ...(['empty', 'indexed-key', 'proto-key', 'named-props', 'holes', 'repeated', 'cycle'] as const),
  ...(['after-bigint', 'one-byte', 'two-byte', 'packed-smi'] as const),
  ...(['history-unknown', 'dictionary-unknown', 'share-unknown', 'undecided', 'has-cause'] as const),
  ...(['cause-not-text', 'units-over-128', 'units-from-256', 'bytes-from-514', 'transferable'] as const),
]);

const IMPLIED_BY_ELEMENTS: ReadonlySet<Flag> = new Set([...IMPLIED, ...ELEMENTS]);

function keptFlags(kind: Kind, bits: number, stored: number, implied = IMPLIED): { flags?: Flag[] } {
  const flags = filter(listFlags(kind, bits, stored), (flag) => !implied.has(flag));
  return flags.length === 0 ? {} : { flags };
}

/** Number of elements of an array that was read in part: holes are assumed to be as frequent in the rest. */
function elementsOf({ size, steps, values }: inspect.InspectedObject, limit: number): number {
  if (steps === null) return size;
  const elements = filter(steps, (step) => typeof step === 'number').length;
  const read = Math.ceil(size / Math.ceil(size / limit));
  return elements === 0 || values.length === 0 ? size : Math.round((size * elements) / read);
}

type Spot = Record<'nodes' | 'depth', number>;

const below = ({ depth }: Spot, nodes: number): Spot => ({ nodes, depth: depth + 1 });

function numberNode(value: number): trees.ValueTree {
  const isJson = value - value === 0 && (value !== 0 || 1 / value > 0);
  return isJson ? value : { is: 'number', number: value === 0 ? '-0' : String(value) };
}

const FEW = 8;
/** Children that are at most this share of the visits are all visited, independent of their content. */
const FEW_SHARE = 1 / 16;
/** One child of many gets at most this share of what may be visited. */
const MOST_FOR_ONE = 1 / 24;

const extentOf = (value: unknown): number =>
  !isObject(value) ? 1 : Array.isArray(value) ? 2 + readLength(value) : 8;

type Visit = (index: number, nodes: number) => void;

export class Sample {
  readonly #options: SampleOptions;
  readonly #inspector: inspect.ObjectInspector;
  readonly #memory: Memory;
  readonly #masked = new MaskedTexts();
  readonly #met = new Map<object, trees.NodeFacts>();
  /** Objects that were visited as items of a list, a Map or a Set, not only met inside of them. */
  readonly #taken = new Set<object>();
  readonly #known: inspect.KnownObject[] = [];
  readonly #errors: { node: trees.ErrorNode; error: object }[] = [];
  #ids = 0;
  readonly tree: trees.ValueTree;
  readonly buffers: Memory['buffers'];
  visited = 0;
  isPart = false;
  /** Serializing what was visited runs nothing of the program's. */
  isSafe = true;

  constructor(value: unknown, options: SampleOptions) {
    this.#options = options;
    this.#inspector = new inspect.ObjectInspector({ ...options.probe, utf8Bytes: (text) => text.length });
    this.#memory = new Memory(options);
    this.buffers = this.#memory.buffers;
    const { nodes, values, chance } = options;
    const tree = this.#any(value, { nodes, depth: 0 });
    this.tree = values === 'kept' ? tree : maskTree(tree, values, chance, this.#masked);
  }

  #any(value: unknown, at: Spot): trees.ValueTree {
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

  #text(text: string, depth: number): trees.ValueTree {
    const { values, probe } = this.#options;
    const flags = keptFlags('string', 0, probe.storage.string(text, depth));
    const node: trees.TextNode = { is: 'text', units: text.length, ...flags };
    if (values === 'kept' && this.#memory.spend(2 * text.length))
      return flags.flags === undefined ? text : { ...node, text };
    if (values === 'kept') this.isPart = true;
    return this.#masked.add(node, text);
  }

  #left(left: string): trees.ValueTree {
    this.isSafe = false;
    return { is: 'left', left };
  }

  #object(value: object, at: Spot): trees.ValueTree {
    const before = this.#met.get(value);
    if (before !== undefined) return this.#again(before);
    if (this.#options.probe.types.isProxy(value)) return this.#left('proxy');
    if (at.depth > MAX_DEPTH) {
      this.isPart = true;
      return this.#left('too deep');
    }
    return Array.isArray(value) ? this.#array(value, at) : this.#other(value, at);
  }

  #again(node: trees.NodeFacts): trees.ValueTree {
    node.id ??= this.#ids++;
    return { is: 'same', id: node.id };
  }

  /** Called before its children are visited, which may refer to it. */
  #meet<N extends trees.NodeFacts & trees.TreeNode>(value: object, node: N): N {
    this.#met.set(value, node);
    return node;
  }

  #other(value: object, at: Spot): trees.ValueTree {
    const { nodes, depth } = at;
    const known = this.#inspector.asKnown(value, this.#known);
    if (known !== null) return this.#properties(value, known, at);
    const type = this.#options.probe.types.of(value);
    const memory = this.#memory.of(value, type.kind, this.#inspector.prototypes);
    if (memory !== null) return this.#seen(value, memory);
    this.#inspector.limit = Math.max(LEAST_CHILDREN, nodes);
    const found = this.#inspector.of(value, type, depth, this.#known);
    const { kind } = found;
    if (kind === 'object' || kind === 'arguments') return this.#properties(value, found, at);
    if (kind === 'map' || kind === 'set') return this.#collection(value, found, at);
    const facts = this.#factsOf(found);
    if (kind === 'error') return this.#error(value, found, at);
    if (kind === 'date') {
      const time = callOn(DATE.getTime, value) as number;
      return this.#meet(value, { is: kind, date: time - time === 0 ? time : null, ...facts });
    }
    if (kind === 'regexp') return this.#meet(value, { is: kind, ...regexpOf(value), ...facts });
    const inner = kind === 'boxed' ? unboxed(value) : undefined;
    if (kind !== 'boxed' || typeof inner === 'symbol') return this.#left(found.tag ?? kind);
    const node = this.#meet(value, { is: 'boxed' as const, value: null as trees.ValueTree, ...facts });
    node.value = this.#any(inner, below(at, 1));
    return node;
  }

  #seen(value: object, { node, behind }: SeenMemory): trees.ValueTree {
    if (behind.node.shared === true) this.isSafe = false;
    const before = this.#met.get(behind.buffer);
    const buffer = before === undefined ? this.#meet(behind.buffer, behind.node) : this.#again(before);
    if (node.is === 'buffer') return buffer;
    node.on = buffer;
    return this.#meet(value, node);
  }

  #factsOf({ kind, bits, stored, tag }: inspect.InspectedObject, implied = IMPLIED) {
    if ((bits & STRUCTURE.accessor) !== 0) this.isSafe = false;
    return { ...keptFlags(kind, bits, stored, implied), ...(tag !== undefined && { tag }) };
  }

  #properties(value: object, found: inspect.InspectedObject, at: Spot): trees.ValueTree {
    const { kind, steps, values, size } = found;
    const entries: trees.ObjectNode['entries'] = [];
    const is = kind === 'arguments' ? kind : 'object';
    const node = this.#meet<trees.ObjectNode>(value, { is, entries, ...this.#factsOf(found) });
    const visit = (i: number, left: number) => {
      const entry: [string, trees.ValueTree] = [steps![i] as string, null];
      entries.push(entry);
      entry[1] = this.#any(values[i], below(at, left));
    };
    const isSome = this.#visitChildren(values, at.nodes, visit, size <= MAX_FIELDS);
    if (isSome || size > values.length) {
      node.of = size;
      this.isPart = true;
    }
    return node;
  }

  #array(value: unknown[], at: Spot): trees.ValueTree {
    const isNumeric = typeof ownData(value, 0) === 'number';
    const limit = Math.max(LEAST_CHILDREN, Math.ceil(at.nodes / (isNumeric ? NUMBER_NODES : 1)));
    this.#inspector.limit = limit;
    const found = this.#inspector.array(value, at.depth);
    const { values, size, numbers, steps } = found;
    const facts = this.#factsOf(found, size === 0 || numbers ? IMPLIED : IMPLIED_BY_ELEMENTS);
    const node = this.#meet<trees.ArrayNode>(value, { is: 'array', items: [], ...facts });
    const { items } = node;
    // Items that stand for all are not visited in order.
    const indices = numbers ? filter(steps ?? [], (step) => typeof step === 'number') : [];
    const visit = (i: number, left: number) => {
      const child = this.#any(values[i], below(at, left));
      const step = steps === null ? i : steps[i]!;
      if (typeof step === 'string') {
        node.named ??= [];
        node.named.push([step, child]);
        return;
      }
      indices.push(step as number);
      items.push(child);
      this.#take(values[i]);
    };
    if (numbers) {
      for (let i = 0; i < values.length; i++) items.push(numberNode(values[i] as number));
      this.visited += values.length * NUMBER_NODES;
    } else this.#visitChildren(values, at.nodes, visit);
    if (size > limit || items.length + (node.named?.length ?? 0) < values.length) {
      this.isPart = true;
      node.of = elementsOf(found, limit);
      if (!numbers) this.#tellInside(node, values);
    } else if (items.length < size) {
      node.of = size;
      node.at = indices;
    }
    return node;
  }

  #take(item: unknown): void {
    if (isObject(item)) this.#taken.add(item);
  }

  /** Sets the share of children that were met inside others: in a graph, each would count again and again. */
  #tellInside(node: trees.ArrayNode | trees.SetNode | trees.MapNode, values: ArrayLike<unknown>): void {
    let inside = 0;
    for (let i = 0; i < values.length; i++) {
      const child = values[i];
      if (isObject(child) && this.#met.has(child) && !this.#taken.has(child)) inside++;
    }
    if (inside > 0) node.inside = inside / values.length;
  }

  /** In a Map, each key is followed by its value. */
  #collection(value: object, found: inspect.InspectedObject, spot: Spot): trees.MapNode | trees.SetNode {
    const { kind, values, size } = found;
    const facts = this.#factsOf(found);
    const node = this.#meet<trees.MapNode | trees.SetNode>(
      value,
      kind === 'map' ? { is: 'map', entries: [], ...facts } : { is: 'set', items: [], ...facts },
    );
    const step = kind === 'map' ? 2 : 1;
    // Entries may be followed by own properties.
    const children: unknown[] = [];
    for (let i = step - 1; i < values.length && children.length < size; i += step) children.push(values[i]);
    const isSome = this.#visitChildren(children, spot.nodes, (i, left) => {
      const one = (child: unknown) => this.#any(child, below(spot, left));
      if (node.is === 'map') node.entries.push([one(values[step * i]), one(children[i])]);
      else node.items.push(one(children[i]));
      this.#take(children[i]);
    });
    if (isSome || children.length < size) {
      this.isPart = true;
      node.of = size;
      this.#tellInside(node, values);
    }
    return node;
  }

  /** True if it has errors whose stacks are made when it is posted. */
  get isUnfinished(): boolean {
    return this.#errors.length > 0;
  }

  #error(value: object, found: inspect.InspectedObject, at: Spot): trees.ValueTree {
    const node = this.#meet<trees.ErrorNode>(value, { is: 'error', ...this.#factsOf(found) });
    const { steps, values } = found;
    const parts: Pick<trees.ErrorNode, 'message' | 'cause'> = node;
    for (let i = 0; i < values.length; i++)
      parts[steps![i] as 'message' | 'cause'] = this.#any(values[i], below(at, 8));
    // Reading its stack may run code of the program's.
    this.isSafe = false;
    this.#errors.push({ node, error: value });
    return node;
  }

  /** Adds what reading would change: ropes, stacks. @param isPosted false: without what posting the message makes itself */
  finish(isPosted: boolean): void {
    this.#masked.finish();
    // Made of its frames when it is first read: posting it has done so.
    const { isText = false } = this.#options;
    for (let i = 0; isPosted && !isText && i < this.#errors.length; i++) {
      const { node, error } = this.#errors[i]!;
      const stack = ownStack(error);
      if (typeof stack === 'string') node.stack = stack.length;
    }
    if (isPosted || isText) this.#errors.length = 0;
  }

  /**
   * Visits the children of a container, or some that stand for all (then it returns true).
   *
   * @param nodes about how many values may be visited in all children
   * @param isRecord how many are visited does not depend on what is in them: else, where a large field was met, fewer
   *   others would stand for the rest
   */
  #visitChildren(children: ArrayLike<unknown>, nodes: number, visit: Visit, isRecord = false): boolean {
    const { length } = children;
    const end = this.visited + nodes;
    const isFew = length <= nodes * FEW_SHARE || (length <= FEW && nodes >= 2);
    let extent = 0;
    let read = 0;
    for (; read < length && (isFew || extent <= nodes); read++) extent += extentOf(children[read]);
    if (!isFew && extent > nodes) {
      const taken = new Set<number>();
      const most = isRecord ? Math.max(1, Math.floor((read * nodes) / extent)) : length;
      const hasTime = () => isRecord || taken.size === 0 || this.visited < end;
      // Containers of one length are not all read at the same indices.
      let turn = this.visited;
      while (taken.size < most && hasTime()) {
        let index = Math.floor(spreadShare(++turn) * length);
        while (taken.has(index)) index = (index + 1) % length;
        taken.add(index);
        visit(index, nodes < FEW ? nodes : Math.max(FEW, nodes * MOST_FOR_ONE));
      }
      return true;
    }
    for (let i = 0; i < length; i++) {
      const own = extentOf(children[i]);
      visit(i, Math.max(1, ((end - this.visited) * own) / extent));
      extent -= own;
    }
    return false;
  }
}
