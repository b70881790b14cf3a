/** What the sizes of a sweep cost, as learnt from those before. Times in ms. */

interface SizeCost {
  /** What starting processes and the messages for an interval worth reading take. */
  inAllMs: number;
  /** What the messages alone take. */
  messagesMs: number;
  /** What the timed rounds of one process take. */
  sliceMs: number;
}

/** One message of each strategy, at the size that is known best. */
type Timed = { bytes: number; roundMs: number };

type Timing = { roundTrip: { median: number } | null };

/** Rounds of one process: of a large payload few processes fit, and their rounds show the noise. */
const MIN_ROUNDS = 4;
/** Beside each round of round trips one-way messages are timed, which take half as long. */
const ROUND = 1.5;
/** Building the payload at both ends and warming up take as long as so many rounds. */
const ROUNDS_BEFORE = 3;
/** A guess for the first size: what nested rows take. */
const NS_A_BYTE = 20;
/** In this time three processes start and measure a little, and one more weighs the memory. */
export const LEAST_OF_SIZE_MS = 800;

export class SizeCosts {
  readonly #strategies: number;
  readonly #timed = new Map<string, Timed>();

  /** @param strategies how many are timed, raw included */
  constructor(strategies: number) {
    this.#strategies = strategies;
  }

  /** @param bytes approximately those of one message */
  of({ payload, bytes }: { payload: string; bytes: number }): SizeCost {
    const before = this.#timed.get(payload);
    const roundMs = before
      ? before.roundMs * Math.max(1, bytes / Math.max(1, before.bytes))
      : (this.#strategies * bytes * NS_A_BYTE) / 1e6;
    const sliceMs = MIN_ROUNDS * ROUND * roundMs;
    const messagesMs = ROUNDS_BEFORE * roundMs + sliceMs;
    return { inAllMs: LEAST_OF_SIZE_MS + messagesMs, messagesMs, sliceMs };
  }

  /** Keeps the size with the least time a byte: the others had more noise, or fewer bytes to start with. */
  learn({ payload, bytes }: { payload: string; bytes: number }, points: readonly Timing[]): void {
    const roundMs = points.reduce((sum, { roundTrip }) => sum + (roundTrip?.median ?? 0) / 1e6, 0);
    const known = this.#timed.get(payload);
    if (roundMs > 0 && (!known || roundMs * known.bytes <= known.roundMs * bytes))
      this.#timed.set(payload, { bytes, roundMs });
  }
}
