/**
 * A cheap class of every message: messages of one class are taken to be alike. By kind, number of keys, first and
 * last key, and whether something is transferred, which has no bytes then; nothing of the program's runs.
 */

import {
  dataOf,
  floor,
  getPrototypeOf,
  isArray,
  isView,
  keys,
  log2,
  objectPrototype,
} from '../realm/intrinsics.ts';
import { canBeRead, types } from '../realm/platform.ts';

export interface MessageClass {
  kind: string;
  /** Keys of an object; elements of an array, up to TUPLE. */
  size: number;
  first: string;
  last: string;
}

/** Longer arrays are lists of any length. */
const TUPLE = 8;
/** More keys make a map-like object, whose keys are its content. */
const MAP_LIKE = 24;

const TRANSFERS = ' and a list';

/** @param transfer a list, or options with one */
function listsAny(transfer: unknown): boolean {
  if (!canBeRead(transfer)) return false;
  const list = isArray(transfer) ? transfer : dataOf(transfer, 'transfer');
  return isArray(list) && !types.isProxy(list) && list.length > 0;
}

/** Overwritten for each message: nothing is allocated. */
export class Classifier {
  kind = '';
  size = 0;
  first = '';
  last = '';
  /** Of an object that is neither a list nor a view. */
  names: readonly string[] | null = null;

  of(value: unknown, transfer?: unknown): void {
    this.size = 0;
    this.first = '';
    this.last = '';
    this.names = null;
    this.kind = typeof value;
    if (typeof value === 'object') this.#ofObject(value);
    if (transfer !== undefined && listsAny(transfer)) this.kind += TRANSFERS;
  }

  #ofObject(value: object | null): void {
    if (value === null) this.kind = 'null';
    else if (types.isProxy(value)) this.kind = 'proxy';
    else if (isArray(value)) {
      this.kind = 'array';
      this.size = value.length > TUPLE ? TUPLE + 1 : value.length;
    } else if (isView(value)) this.kind = 'view';
    else this.#object(value);
  }

  is(known: MessageClass): boolean {
    return (
      known.kind === this.kind &&
      known.size === this.size &&
      known.first === this.first &&
      known.last === this.last
    );
  }

  #object(value: object): void {
    const names = keys(value);
    this.names = names;
    const { length } = names;
    if (getPrototypeOf(value) !== objectPrototype && length === 0) this.kind = this.#slotKind(value);
    else if (length > MAP_LIKE) this.size = MAP_LIKE + floor(log2(length));
    else if (length > 0) {
      this.size = length;
      this.first = names[0]!;
      this.last = names[length - 1]!;
    }
  }

  #slotKind(value: object): string {
    if (types.isAnyArrayBuffer(value)) return 'buffer';
    if (types.isMap(value)) return 'map';
    return types.isSet(value) ? 'set' : 'object';
  }
}
