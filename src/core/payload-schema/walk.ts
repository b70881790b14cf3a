/** Reads samples into a draft. They are plain data: results of JSON.parse or structuredClone, used by nobody else. */
import type { TypeDetection } from '../describe/inspect/probe.ts';
import { DraftType, Layout } from './draft.ts';

export interface WalkLimits {
  /** Values that are visited. */
  nodes: number;
  depth: number;
  /** An object of more keys is a dictionary. */
  keys: number;
  /** Objects of one type with more different keys are dictionaries. */
  layouts: number;
  /** Different lists of keys in the whole payload. */
  allLayouts: number;
}

export const WALK_LIMITS: WalkLimits = { nodes: 2e6, depth: 400, keys: 256, layouts: 64, allLayouts: 4096 };

interface KeyNode {
  next: Map<string, KeyNode>;
  layout: Layout | null;
}

const newKeyNode = (): KeyNode => ({ next: new Map(), layout: null });

export class SchemaWalk {
  readonly root = new DraftType();
  readonly #types: TypeDetection;
  readonly #limits: WalkLimits;
  readonly #tracksShared: boolean;
  readonly #seen = new Map<object, DraftType>();
  readonly #layoutsByKeys = newKeyNode();
  #layouts = 0;
  #visited = 0;
  /** Types that hold an object that stands at another place too: only a clone keeps that. */
  readonly shared = new Set<DraftType>();

  /** @param tracksShared false where no object can stand at two places, as in JSON */
  constructor(types: TypeDetection, tracksShared: boolean, limits: WalkLimits = WALK_LIMITS) {
    this.#types = types;
    this.#tracksShared = tracksShared;
    this.#limits = limits;
  }

  add(sample: unknown): void {
    this.#visit(sample, this.root, 0);
  }

  #visit(value: unknown, type: DraftType, depth: number): void {
    this.#visited++;
    if (typeof value === 'string') type.addText(value);
    else if (typeof value === 'number') {
      if (isInt32(value)) type.hasInt32 = true;
      else type.hasDouble = true;
    } else if (value === null) type.hasNull = true;
    else if (typeof value === 'object') this.#object(value, type, depth);
    else if (typeof value === 'boolean') type.hasBoolean = true;
    else if (value === undefined) type.hasUndefined = true;
    else if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) type.hasBigint = true;
    else type.hasRest = true;
  }

  #object(value: object, type: DraftType, depth: number): void {
    if (depth > this.#limits.depth || this.#visited > this.#limits.nodes) {
      type.hasRest = true;
      return;
    }
    if (this.#tracksShared && this.#isShared(value, type)) return;
    if (Array.isArray(value)) this.#list(value, type, depth);
    else if (Object.getPrototypeOf(value) === Object.prototype && this.#types.of(value).kind === 'object')
      this.#plain(value, type, depth);
    else this.#builtIn(value, type, depth);
  }

  #isShared(value: object, type: DraftType): boolean {
    const first = this.#seen.get(value);
    if (first === undefined) {
      this.#seen.set(value, type);
      return false;
    }
    this.shared.add(first).add(type);
    return true;
  }

  #list(value: readonly unknown[], type: DraftType, depth: number): void {
    const { length } = value;
    // A hole reads as undefined: only a clone tells them apart.
    if (value.includes(undefined)) {
      this.#rest(Object.values(value), type, depth);
      return;
    }
    const int32 = length > 0 ? numbersIn(value) : null;
    if (int32 !== null) {
      this.#visited += length;
      type.addNumbers(length, int32);
      return;
    }
    const items = type.itemsType();
    for (let at = 0; at < length; at++) this.#visit(value[at], items, depth + 1);
  }

  #plain(value: object, type: DraftType, depth: number): void {
    const record = value as Record<string, unknown>;
    const { latest } = type;
    const keys = Object.keys(value);
    const layout = latest !== null && isSame(keys, latest.keys) ? latest : this.#layoutFor(keys, type);
    if (layout === null) {
      const values = type.valuesType();
      type.dictionaries++;
      // Keys that most dictionaries have may become fields, with a type of their own.
      for (const key of keys) this.#visit(record[key], type.fieldType(key) ?? values, depth + 1);
      return;
    }
    layout.count++;
    type.latest = layout;
    for (let at = 0; at < keys.length; at++) this.#visit(record[keys[at]!], layout.types[at]!, depth + 1);
  }

  /** Null for a dictionary. */
  #layoutFor(keys: readonly string[], type: DraftType): Layout | null {
    const { keys: maxKeys, layouts, allLayouts } = this.#limits;
    if (keys.length > maxKeys) return null;
    let node = this.#layoutsByKeys;
    for (const key of keys) {
      let next = node.next.get(key);
      if (next === undefined) {
        if (this.#layouts >= allLayouts || type.layouts.size >= layouts) return null;
        next = newKeyNode();
        node.next.set(key, next);
      }
      node = next;
    }
    if (node.layout !== null && type.layouts.has(node.layout)) return node.layout;
    if (type.layouts.size >= layouts || this.#layouts >= allLayouts) return null;
    if (node.layout === null) {
      node.layout = new Layout(keys);
      this.#layouts++;
    }
    type.layouts.add(node.layout);
    return node.layout;
  }

  #builtIn(value: object, type: DraftType, depth: number): void {
    const { kind } = this.#types.of(value);
    if (kind === 'date') type.hasDate = true;
    else if (kind === 'map') {
      const [keys, values] = type.mapTypes();
      for (const [key, member] of value as Map<unknown, unknown>) {
        this.#visit(key, keys, depth + 1);
        this.#visit(member, values, depth + 1);
      }
    } else if (kind === 'set') {
      const members = type.membersType();
      for (const member of value as Set<unknown>) this.#visit(member, members, depth + 1);
    } else if (kind === 'typedarray' && isWhole(value as ArrayBufferView))
      type.addBytes(Object.prototype.toString.call(value).slice(8, -1));
    else this.#rest(kind === 'error' ? [(value as Error).cause] : [], type, depth);
  }

  /** What is cloned as it is may hold objects that stand at another place too. */
  #rest(parts: readonly unknown[], type: DraftType, depth: number): void {
    type.hasRest = true;
    if (!this.#tracksShared) return;
    const inside = new DraftType();
    for (const part of parts) this.#visit(part, inside, depth + 1);
  }
}

/** Codecs keep some integers for what is none. */
const MIN_INT = -2147483640;

const isInt32 = (value: number): boolean =>
  value === (value | 0) && value >= MIN_INT && (value !== 0 || 1 / value > 0);

/** Null where the list holds anything else. @returns whether each is a 32-bit integer */
function numbersIn(list: readonly unknown[]): boolean | null {
  let int32 = true;
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    if (typeof item !== 'number') return null;
    int32 &&= isInt32(item);
  }
  return int32;
}

function isSame(keys: readonly string[], known: readonly string[]): boolean {
  if (keys.length !== known.length) return false;
  for (let at = 0; at < keys.length; at++) if (keys[at] !== known[at]) return false;
  return true;
}

const isWhole = ({ buffer, byteOffset, byteLength }: ArrayBufferView): boolean =>
  buffer instanceof ArrayBuffer &&
  byteOffset === 0 &&
  byteLength === buffer.byteLength &&
  (buffer as { resizable?: boolean }).resizable !== true;
