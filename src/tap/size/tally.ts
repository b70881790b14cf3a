/** Bytes that were counted so far, what was met, and which children of a container are visited. */
import { max } from '../realm/intrinsics.ts';
import type { ContentHash } from '../records/hash.ts';
import { Pieces } from './pieces.ts';
import { Sample, spreadIndices } from './sample.ts';
import { extentOf, HEADER_BYTES, referenceBytes } from './wire-format.ts';

/** Fewer children are all visited. */
export const FEW = 8;
/** So few of what may be visited are all visited, whatever is in them. */
const FEW_SHARE = 1 / 16;
/** Children whose extents are compared, so that a longer one gets more of what may be visited. */
const MAX_COMPARED = 512;
/** Children that are looked up among what was met inside of others. */
export const MAX_LOOKED_UP = 512;
const FEW_EXTENTS = 32;
/** One child of many takes no more of what may be visited. */
const MOST_FOR_ONE = 1 / 24;
/** Samples begin at different places. */
const PHASE = 0.7548776662;

interface Met {
  id: number;
  /** Until it is visited: 0. */
  bytes: number;
  sample: Sample | null;
  child: number;
  isShared: boolean;
  /** Number of the piece in which it was met. */
  piece: number;
  /** It was visited as a child that stands for others, not met inside of one. */
  isTaken: boolean;
}

/** The child itself; nothing of it is run. */
type ChildAt = (index: number) => unknown;
type Child = (index: number, nodes: number) => void;

export class Tally {
  protected readonly hash: ContentHash | null;
  readonly #met = new Map<object, Met>();
  /** The outermost one that is being taken. */
  protected sample: Sample | null = null;
  readonly pieces = new Pieces();
  bytes = HEADER_BYTES;
  variance = 0;
  visited = 0;
  /** All was visited. */
  isWhole = true;
  /** Serializing it runs nothing of the program's, as far as it was visited. */
  isSafe = true;
  guessed = 0;
  /** Objects that were met more than once where not all was visited. */
  shared = 0;
  /** How many of its siblings are inside of a child that stands for others. */
  siblings = 0;
  #phase = 0;
  /** Samples within samples, and the most of them. */
  #level = 0;
  levels = 0;

  /** @param hash gets all content, where it is asked for */
  constructor(hash: ContentHash | null) {
    this.hash = hash;
  }

  protected known(value: object): Met | undefined {
    return this.#met.get(value);
  }

  protected add(bytes: number): void {
    this.bytes += bytes;
    this.hash?.add(bytes);
  }

  protected meet(value: object, sample: Sample | null): Met {
    const met = {
      id: this.#met.size,
      bytes: 0,
      sample,
      child: sample?.size ?? 0,
      isShared: false,
      piece: this.pieces.current,
      isTaken: false,
    };
    this.#met.set(value, met);
    return met;
  }

  protected metAgain(met: Met): void {
    this.add(referenceBytes(met.id));
    this.pieces.refersTo(met.piece);
    if (met.sample === null || met.isShared) return;
    this.shared++;
    met.isShared = true;
    if (met.bytes > 0) met.sample.metAgain(met.child, met.bytes);
  }

  /** Visits children: all of them, where they are few or there is time for what may be in them. */
  protected children(count: number, nodes: number, at: ChildAt, child: Child): void {
    const isFew = count <= nodes * FEW_SHARE || (count <= FEW && nodes >= 2);
    if (isFew || extents(count, at) <= nodes) this.#all(count, nodes, at, child);
    else this.some(count, count, nodes, at, child);
  }

  #all(count: number, nodes: number, at: ChildAt, child: Child): void {
    const end = this.visited + nodes;
    const of = (i: number) => (count > MAX_COMPARED ? 1 : extentOf(at(i)));
    let open = 0;
    for (let i = 0; i < count; i++) open += of(i);
    for (let i = 0; i < count; i++) {
      const own = of(i);
      child(i, max(1, ((end - this.visited) * own) / open));
      open -= own;
    }
  }

  /** @param count of the children @param there of those that can be visited */
  protected some(count: number, there: number, nodes: number, at: ChildAt, child: Child): void {
    const end = this.visited + nodes;
    const { bytes, variance } = this;
    const outer = this.sample;
    const sample = new Sample();
    this.isWhole = false;
    this.sample ??= sample;
    this.levels = max(this.levels, ++this.#level);
    this.#phase = (this.#phase + PHASE) % 1;
    const next = spreadIndices(there, this.#phase);
    while (sample.size < there && (sample.size === 0 || this.visited < end)) {
      const from = this.bytes;
      const before = this.variance;
      const index = next();
      child(index, nodes < FEW ? nodes : max(FEW, nodes * MOST_FOR_ONE));
      sample.add(this.bytes - from, this.variance - before);
      this.#take(at(index), sample);
    }
    if (this.#level === 1) this.siblings = max(this.siblings, this.#siblingsInside(sample, there, at));
    this.sample = outer;
    this.#level--;
    const all = sample.total(count);
    this.bytes = bytes + all.bytes;
    this.variance = variance + all.variance;
  }

  /** One that was met inside of another before stays so. */
  #take(child: unknown, sample: Sample): void {
    const met = this.#met.get(child as object);
    if (met?.sample === sample && met.child === sample.size - 1) met.isTaken = true;
  }

  /** Of a graph each child holds others, which would be counted again and again. */
  #siblingsInside(sample: Sample, there: number, at: ChildAt): number {
    const stride = Math.ceil(there / Math.min(MAX_LOOKED_UP, this.visited)) || 1;
    let [inside, read] = [0, 0];
    for (let i = 0; i < there; i += stride) {
      const met = this.#met.get(at(i) as object);
      if (met !== undefined && met.sample === sample && !met.isTaken) inside++;
      read++;
    }
    const share = read === 0 ? 0 : inside / read;
    return (share * (there - sample.size)) / sample.size;
  }
}

/** How much may be in so many children, by some of them. */
function extents(count: number, at: ChildAt): number {
  const stride = Math.ceil(count / FEW_EXTENTS) || 1;
  let [sum, read] = [0, 0];
  for (let i = 0; i < count; i += stride) {
    sum += extentOf(at(i));
    read++;
  }
  return read === 0 ? 0 : (sum * count) / read;
}
