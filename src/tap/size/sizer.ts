/**
 * Size of a value as V8's serializer has it. Nothing of the value's is run. Where there is more than may be visited, some
 * children of a container stand for the others, and the size has a variance.
 */
import { callOn, MAP, SET, viewRange } from '../../core/value/intrinsics.ts';
import { orElse } from '../../model/or-else.ts';
import { dataOf, getOwnPropertyDescriptor, hasOwn, isArray, isView, keys, max } from '../realm/intrinsics.ts';
import { builtInBytes, UNKNOWN } from './built-ins.ts';
import { hasDoubles } from './numbers.ts';
import { Scalars } from './scalars.ts';
import { FEW, MAX_LOOKED_UP } from './tally.ts';
import { bigintBytes, DOUBLE, indexOf, integerBytes, isPlain, TAG, varint } from './wire-format.ts';

const MAX_DEPTH = 300;
/** Longer lists are not asked for all their keys. */
const MAX_LISTED = 2000;

export class Sizer extends Scalars {
  readonly #deep: object[] = [];

  /** @param nodes about how many values may be visited @throws UNKNOWN */
  write(value: unknown, nodes: number, depth = 0): void {
    this.visited++;
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'object' && value !== null) this.#object(value, nodes, depth);
    else if (typeof value === 'bigint') this.add(bigintBytes(value));
    else if (value === undefined || value === null || typeof value === 'boolean') {
      this.add(TAG);
      this.hash?.add(value === undefined ? 1 : value === null ? 2 : value ? 3 : 4);
    } else throw UNKNOWN;
  }

  #object(value: object, nodes: number, depth: number): void {
    const known = this.known(value);
    if (known !== undefined) this.metAgain(known);
    else if (this.engine.types.isProxy(value)) throw UNKNOWN;
    else if (isView(value)) this.#view(value);
    else {
      const met = this.meet(value, this.sample);
      if (depth > MAX_DEPTH) {
        this.#deep[this.#deep.length] = value;
        return;
      }
      const from = this.bytes;
      this.#structure(value, nodes, depth + 1);
      met.bytes = this.bytes - from;
    }
  }

  /** The message: what is too deep for the stack follows at its end. @throws UNKNOWN */
  message(value: unknown, nodes: number): void {
    this.write(value, nodes);
    for (let i = 0; i < this.#deep.length; i++) this.#structure(this.#deep[i]!, nodes - this.visited, 0);
  }

  #structure(value: object, nodes: number, depth: number): void {
    const { types } = this.engine;
    if (isArray(value)) this.#array(value, nodes, depth);
    else if (types.isAnyArrayBuffer(value)) this.buffer(value);
    else if (types.isMap(value)) this.#collection(MAP, value, nodes, depth);
    else if (types.isSet(value)) this.#collection(SET, value, nodes, depth);
    else if (isPlain(value, types)) this.#plain(value, nodes, depth);
    else {
      const { bytes, isSafe, guessed = 0 } = builtInBytes(value);
      this.isSafe &&= isSafe;
      this.guessed += guessed;
      this.add(bytes);
    }
  }

  /** A child of a container. One that stands for others is compared with what the engine makes of it. */
  #child(value: unknown, nodes: number, depth: number): void {
    if (this.sample === null || !this.pieces.open()) this.write(value, nodes, depth);
    else {
      const wasWhole = this.isWhole;
      const from = this.bytes;
      this.isWhole = true;
      this.write(value, nodes, depth);
      this.pieces.close(value, this.bytes - from, this.isWhole);
      this.isWhole = wasWhole && this.isWhole;
    }
  }

  #array(value: unknown[], nodes: number, depth: number): void {
    const { length } = value;
    const stored = this.engine.elements?.(value) ?? 'unknown';
    const isListed = stored !== 'packed' && length <= MAX_LISTED;
    const listed = isListed ? keys(value).length : length;
    if (listed > length) throw UNKNOWN;
    // Of longer ones it is not known whether they have accessors.
    if (stored === 'unknown' && !isListed) this.isSafe = false;
    const isSparse = stored === 'holey' || listed < length;
    this.add(TAG + varint(length));
    const asDoubles = !isSparse && hasDoubles(value, max(FEW, nodes), this.engine.smallBits);
    const element = (i: number, left: number): void => {
      const found = getOwnPropertyDescriptor(value, i);
      if (found === undefined) return;
      if (!hasOwn(found, 'value')) throw UNKNOWN;
      if (isSparse) this.add(integerBytes(i));
      if (!asDoubles) this.#child(found.value, left, depth);
      else {
        this.visited++;
        this.add(DOUBLE);
        this.hash?.number(found.value as number);
      }
    };
    this.children(length, nodes, (i) => dataOf(value, i), element);
    this.add(TAG + varint(isSparse ? listed : 0) + varint(length));
  }

  #plain(value: object, nodes: number, depth: number): void {
    const names = keys(value);
    const { length } = names;
    this.add(TAG);
    const property = (i: number, left: number): void => {
      const found = getOwnPropertyDescriptor(value, names[i]!);
      if (found === undefined || !hasOwn(found, 'value')) throw UNKNOWN;
      const index = indexOf(names[i]!);
      if (index === null) this.text(names[i]!);
      else this.number(index);
      this.#child(found.value, left, depth);
    };
    this.children(length, nodes, (i) => dataOf(value, names[i]!), property);
    this.add(TAG + varint(length));
  }

  #collection(slots: typeof SET, collection: object, nodes: number, depth: number): void {
    const size = callOn(slots.size, collection) as number;
    const parts = slots === MAP ? 2 : 1;
    // Of the outermost one more are kept than are visited, to be looked up among what was met.
    const kept = max(max(2, nodes) / parts, this.sample === null ? MAX_LOOKED_UP : 1);
    const stride = size <= FEW ? 1 : Math.ceil(size / kept);
    const entries: [key: unknown, value: unknown][] = [];
    let at = 0;
    callOn(slots.forEach, collection, (value: unknown, key: unknown) => {
      if (at++ % stride === 0) entries[entries.length] = [key, value];
    });
    this.add(TAG);
    const entry = (i: number, left: number): void => {
      const [key, value] = entries[i]!;
      if (parts === 2) this.#child(key, left, depth);
      this.#child(value, left, depth);
    };
    const valueAt = (i: number) => entries[i]![1];
    if (stride <= 1) this.children(size, nodes, valueAt, entry);
    else this.some(size, entries.length, nodes, valueAt, entry);
    this.add(TAG + varint(parts * size));
  }

  /** Behind the whole buffer: tag, kind, offset, length, flags. */
  #view(view: object): void {
    const { buffer, offset, bytes } = orElse(() => viewRange(view), null) ?? {
      buffer: view,
      offset: 0,
      bytes: 0,
    };
    if (this.engine.viewsAlone === true) {
      // As an object of the platform's: tag, class, length and bytes.
      this.meet(view, null);
      this.add(2 * TAG + varint(bytes) + bytes);
      return;
    }
    const known = this.known(buffer);
    if (known !== undefined) this.metAgain(known);
    else this.#object(buffer, 0, 0);
    this.meet(view, null);
    this.add(TAG + 1 + varint(offset) + varint(bytes) + 1);
  }
}
