/**
 * Size of a message as JSON text, in UTF-8. Nothing of the value's is run: what its own `toJSON` or a getter would give has no
 * size. Where there is more than may be visited, some children of a container stand for the others.
 */
import { callOn, TYPED_ARRAY, unboxed } from '../../core/value/intrinsics.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import {
  byteLength,
  dataOf,
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  isFiniteNumber,
  isView,
  keys,
  toText,
} from '../realm/intrinsics.ts';
import type { TypeTests } from '../realm/platform.ts';
import { UNKNOWN } from './built-ins.ts';
import { conversionOf, dateBytes } from './json-conversions.ts';
import { digitsBelow, ofText, ofViewed } from './json-scalars.ts';
import { Tally } from './tally.ts';

const MAX_DEPTH = 300;
const UNITS_OF_NODE = 256;
const [NULL, TRUE, FALSE] = [4, 4, 5];
const BRACKETS = 2;
const SEPARATOR = 1;
/** After the text of a message. */
const LINE_END = 1;
/** `{"type":"Buffer","data":[]}` */
const BUFFER_HEAD = 27;

/** It is left out of objects, and null in lists. */
const isLeftOut = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';

export class JsonSizer extends Tally {
  readonly #types: TypeTests;
  readonly #listsViews: boolean;
  /** Of objects that were written; null while they are. */
  readonly #sizes = new Map<object, number | null>();
  override bytes = LINE_END;

  /** @param listsViews the bytes of a view are a list, as Deno writes them */
  constructor(types: TypeTests, listsViews: boolean) {
    super(null);
    this.#types = types;
    this.#listsViews = listsViews;
  }

  /** @throws UNKNOWN */
  message(value: unknown, nodes: number): void {
    if (isLeftOut(value)) throw UNKNOWN;
    this.#write(value, nodes, 0);
  }

  #write(value: unknown, nodes: number, depth: number): void {
    this.visited++;
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.bytes += isFiniteNumber(value) ? toText(value).length : NULL;
    else if (typeof value === 'boolean') this.bytes += value ? TRUE : FALSE;
    else if (value === null || isLeftOut(value)) this.bytes += NULL;
    else if (typeof value === 'bigint') throw UNKNOWN;
    else this.#object(value as object, nodes, depth);
  }

  #text(text: string): void {
    const { bytes, variance, isWhole } = ofText(text);
    this.visited += Math.min(text.length, 1 << 16) / UNITS_OF_NODE;
    this.bytes += bytes;
    this.variance += variance;
    this.isWhole &&= isWhole;
  }

  /** One that is met again is written again; inside of itself it is refused. */
  #object(value: object, nodes: number, depth: number): void {
    const known = this.#sizes.get(value);
    if (known === null || depth > MAX_DEPTH || this.#types.isProxy(value)) throw UNKNOWN;
    if (known !== undefined) {
      this.bytes += known;
      return;
    }
    this.#sizes.set(value, null);
    const from = this.bytes;
    this.#structure(value, nodes, depth + 1);
    this.#sizes.set(value, this.bytes - from);
  }

  #structure(value: object, nodes: number, depth: number): void {
    const isList = isView(value) && this.#listsViews;
    const converts = isList ? null : conversionOf(value, this.#types);
    // It calls methods that may be the program's.
    if (converts !== null) this.isSafe = false;
    if (isList) this.#viewed(value, BRACKETS);
    else if (converts === 'buffer') this.#viewed(value, BUFFER_HEAD);
    else if (converts === 'date') this.bytes += dateBytes(value);
    else if (isArray(value)) this.#array(value, nodes, depth);
    else if (isView(value)) this.#view(value);
    else if (typeDetection().of(value).kind === 'boxed') this.#boxed(value, nodes, depth);
    else this.#plain(value, nodes, depth);
  }

  #boxed(value: object, nodes: number, depth: number): void {
    const inner = unboxed(value);
    // A symbol is an object like others.
    if (typeof inner === 'symbol') this.#plain(value, nodes, depth);
    else {
      this.isSafe = false;
      this.#write(inner, nodes, depth);
    }
  }

  #array(value: unknown[], nodes: number, depth: number): void {
    const { length } = value;
    const element = (i: number, left: number): void => {
      this.bytes += SEPARATOR;
      const found = getOwnPropertyDescriptor(value, i);
      if (found === undefined) {
        // What it inherits may be the program's.
        this.isSafe = false;
        this.bytes += NULL;
      } else if (hasOwn(found, 'value')) this.#write(found.value, left, depth);
      else throw UNKNOWN;
    };
    this.children(length, nodes, (i) => dataOf(value, i), element);
    this.bytes += BRACKETS - (length > 0 ? SEPARATOR : 0);
  }

  #plain(value: object, nodes: number, depth: number): void {
    const names = keys(value);
    let isEmpty = true;
    const property = (i: number, left: number): void => {
      const found = getOwnPropertyDescriptor(value, names[i]!);
      if (found === undefined || !hasOwn(found, 'value')) throw UNKNOWN;
      if (isLeftOut(found.value)) {
        this.visited++;
        return;
      }
      isEmpty = false;
      this.#text(names[i]!);
      this.bytes += 2 * SEPARATOR;
      this.#write(found.value, left, depth);
    };
    this.children(names.length, nodes, (i) => dataOf(value, names[i]!), property);
    this.bytes += BRACKETS - (isEmpty ? 0 : SEPARATOR);
  }

  /** Bytes as numbers, with separators between them. */
  #viewed(view: object, around: number): void {
    const { length, digits, variance, isWhole } = ofViewed(view, true);
    this.visited += Math.min(length, 1 << 12) / UNITS_OF_NODE;
    this.bytes += around + digits + Math.max(0, length - 1);
    this.variance += variance;
    this.isWhole &&= isWhole;
  }

  /** An object with a key for each element; a DataView has none. */
  #view(view: object): void {
    if (callOn(TYPED_ARRAY.name, view) === undefined || byteLength(view) === 0) {
      this.bytes += BRACKETS;
      return;
    }
    const { length, digits, variance, isWhole } = ofViewed(view, false);
    this.visited += Math.min(length, 1 << 12) / UNITS_OF_NODE;
    this.variance += variance;
    this.isWhole &&= isWhole;
    // Quotes, colon and separator.
    this.bytes += BRACKETS + digits + digitsBelow(length) + 4 * length - SEPARATOR;
  }
}
