/** Estimated costs of the sizes of a sweep, learnt from earlier sizes. Times in ms. */
import { sumOf } from '../../model/sums.ts';

interface SizeCost {
  /** Total time: starting processes, and enough messages for a useful interval. */
  inAllMs: number;
  /** Time of the messages alone. */
  messagesMs: number;
  /** Time of the timed rounds of one process. */
  sliceMs: number;
}

/** Time of one message of each strategy, at the size that is known best. */
type Timed = { bytes: number; roundMs: number };

type Timing = { roundTrip: { median: number } | null };

/** Minimum rounds of one process. A large payload leaves time for few processes, so their rounds show the noise. */
const MIN_ROUNDS = 4;
/** Each round of round trips is accompanied by one-way messages, which take half as long. */
const ROUND = 1.5;
/** Building the payload at both ends and warming up take as long as this number of rounds. */
const ROUNDS_BEFORE = 3;
/** Initial guess for the first size: the time of nested rows. */
const NS_A_BYTE = 20;
/** Minimum time of a size: three processes start and measure briefly, and a further process measures the memory. */
export const LEAST_OF_SIZE_MS = 800;

export class SizeCosts {
  readonly #strategies: number;
  readonly #timed = new Map<string, Timed>();

  /** @param strategies number of timed strategies, including raw */
  constructor(strategies: number) {
    this.#strategies = strategies;
  }

  /** @param bytes approximate bytes of one message */
  of({ payload, bytes }: { payload: string; bytes: number }): SizeCost {
    const before = this.#timed.get(payload);
    const roundMs = before
      ? before.roundMs * Math.max(1, bytes / Math.max(1, before.bytes))
      : (this.#strategies * bytes * NS_A_BYTE) / 1e6;
    const sliceMs = MIN_ROUNDS * ROUND * roundMs;
    const messagesMs = ROUNDS_BEFORE * roundMs + sliceMs;
    return { inAllMs: LEAST_OF_SIZE_MS + messagesMs, messagesMs, sliceMs };
  }

  /** Keeps the size with the least time per byte: other sizes had more noise, or fewer bytes at first. */
  learn({ payload, bytes }: { payload: string; bytes: number }, points: readonly Timing[]): void {
    const roundMs = sumOf(points, ({ roundTrip }) => (roundTrip?.median ?? 0) / 1e6);
    const known = this.#timed.get(payload);
    if (roundMs > 0 && (!known || roundMs * known.bytes <= known.roundMs * bytes))
      this.#timed.set(payload, { bytes, roundMs });
  }
}
