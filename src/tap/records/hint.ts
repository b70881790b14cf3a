/**
 * A cheap size that every message has: bytes are estimated from it by regression. Where a message is an object, the places
 * that may vary in size are found once for its class and then read in each message, by descriptors.
 */

import { byteLength, dataOf, isArray, isView, keys } from '../realm/intrinsics.ts';
import type { TypeTests } from '../realm/platform.ts';

/** Where size varies, and bytes of a unit there. */
interface SizedField {
  path: readonly string[];
  unit: number;
}
export type HintPlan = readonly SizedField[];

const MAX_PLACES = 6;
const MAX_DEPTH = 3;
const MAX_KEYS = 16;
const LEAF = 8;

export class Hints {
  readonly #types: TypeTests;

  constructor(types: TypeTests) {
    this.#types = types;
  }

  /** For the messages that have the class of this one. */
  plan(value: unknown): HintPlan {
    const places: SizedField[] = [];
    this.#collect(value, [], places);
    return places;
  }

  of(value: unknown, plan: HintPlan): number {
    let sum = 1;
    for (let i = 0; i < plan.length; i++) {
      const { path, unit } = plan[i]!;
      let at = value;
      for (let step = 0; step < path.length; step++)
        at = this.#isReadable(at) ? dataOf(at, path[step]!) : undefined;
      sum += this.#units(at) * unit;
    }
    return sum;
  }

  #isReadable(value: unknown): value is object {
    return typeof value === 'object' && value !== null && !this.#types.isProxy(value);
  }

  /** Length of a text or an array, bytes of a buffer or what a view copies. */
  #units(value: unknown): number {
    if (typeof value === 'string') return value.length;
    if (!this.#isReadable(value)) return 0;
    if (isArray(value)) return value.length;
    return this.#isBinary(value) ? byteLength(value) : 0;
  }

  #isBinary(value: object): boolean {
    return isView(value) || this.#types.isAnyArrayBuffer(value);
  }

  #collect(value: unknown, path: readonly string[], places: SizedField[]): void {
    if (places.length === MAX_PLACES) return;
    if (typeof value === 'string') places[places.length] = { path, unit: 1 };
    if (!this.#isReadable(value)) return;
    if (isArray(value)) this.#array(value, path, places);
    else if (this.#isBinary(value)) places[places.length] = { path, unit: 1 };
    else if (path.length < MAX_DEPTH) this.#properties(value, keys(value), path, places);
  }

  #array(value: unknown[], path: readonly string[], places: SizedField[]): void {
    // Bytes of an element, by the first one.
    const rough = value.length === 0 ? 0 : this.#rough(dataOf(value, '0'), 0);
    places[places.length] = { path, unit: LEAF + rough };
    // A tuple, as libraries post it; its indices are keys too.
    if (value.length <= LEAF && path.length < MAX_DEPTH) this.#properties(value, keys(value), path, places);
  }

  #properties(owner: object, names: string[], path: readonly string[], places: SizedField[]): void {
    for (let i = 0; i < names.length && i < MAX_KEYS; i++)
      this.#collect(dataOf(owner, names[i]!), joined(path, names[i]!), places);
  }

  #rough(value: unknown, depth: number): number {
    if (!this.#isReadable(value) || depth === MAX_DEPTH) return this.#units(value);
    if (!isArray(value) && this.#isBinary(value)) return this.#units(value);
    const names = isArray(value) ? ['0'] : keys(value);
    const times = isArray(value) ? value.length : 1;
    let sum = 0;
    for (let i = 0; i < names.length && i < MAX_KEYS; i++)
      sum += LEAF + this.#rough(dataOf(value, names[i]!), depth + 1);
    return sum * times;
  }
}

function joined(path: readonly string[], key: string): string[] {
  const longer: string[] = [];
  for (let i = 0; i < path.length; i++) longer[i] = path[i]!;
  longer[path.length] = key;
  return longer;
}
