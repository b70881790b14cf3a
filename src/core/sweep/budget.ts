/** Which sizes of a sweep the budget pays for, and how much of it each gets. Times in ms. */

export interface SizeFacts {
  /** Approximate bytes of one message. */
  bytes: number;
  /** How many strategies are timed, raw included. */
  strategies: number;
  /** One message of each strategy, at a smaller size; null where none was timed. */
  before: { bytes: number; roundMs: number } | null;
}

export interface SizeCost {
  /** What its messages take for an interval worth reading, beside starting processes. */
  messagesMs: number;
  /** For the timed rounds of one process. */
  sliceMs: number;
}

/** Rounds of one process: of a large payload few processes fit, and their rounds show the noise. */
const MIN_ROUNDS = 4;
/** Beside each round of round trips one-way messages are timed, which take half as long. */
const ROUND = 1.5;
/** Building the payload at both ends and warming up take as long as so many rounds. */
const ROUNDS_BEFORE = 3;
/** Guess for a size before which none was timed, for nested rows. */
const NS_A_BYTE = 20;

export function estimateCost({ bytes, strategies, before }: SizeFacts): SizeCost {
  const roundMs =
    before === null
      ? (strategies * bytes * NS_A_BYTE) / 1e6
      : before.roundMs * Math.max(1, bytes / Math.max(1, before.bytes));
  const sliceMs = MIN_ROUNDS * ROUND * roundMs;
  return { messagesMs: ROUNDS_BEFORE * roundMs + sliceMs, sliceMs };
}

/** Three processes start, and measure a little; one more for the memory. */
const MIN_MS = 800;
/** A size whose messages take less, or less than this share of the whole budget, is always measured, in one process at least. */
const ALWAYS_MS = 2000;
const ALWAYS_SHARE = 0.5;
/** Costs are estimates: a size must be payable with so much more. */
const RESERVE = 1.25;

/** More for a size would not decide what is even; it is kept for larger ones, whose cost is not known yet. */
const MAX_OF_COST = 3;
/** Where sizes near the crossovers follow: most of the budget is theirs. */
const MAX_OF_COARSE = 2;

/**
 * ms for the first of these sizes, in the ratio of what they cost; null when `leftMs` does not pay for it and for the
 * cheaper ones, and it would take much of the whole budget. `refined`: further sizes follow, chosen by the results of these.
 */
export function shareToSpend(
  sizes: readonly SizeCost[],
  leftMs: number,
  { refined = false, budgetMs = 0 } = {},
): number | null {
  const [first] = sizes;
  if (first === undefined) return null;
  const costs = sizes.map(inAll).sort((a, b) => a - b);
  const cost = inAll(first);
  let payable = 0;
  for (const one of costs) {
    if (RESERVE * (payable + one) > leftMs) break;
    payable += one;
  }
  const cheaper = costs.filter((one) => one <= cost).reduce((sum, one) => sum + one, 0);
  if (cheaper <= payable) {
    const share = (leftMs * cost) / payable;
    if (refined) return Math.min(share, MAX_OF_COARSE * cost);
    return sizes.length === 1 ? share : Math.min(share, MAX_OF_COST * cost);
  }
  return first.messagesMs <= Math.max(ALWAYS_MS, ALWAYS_SHARE * budgetMs) ? MIN_MS : null;
}

const inAll = ({ messagesMs }: SizeCost): number => MIN_MS + messagesMs;

/** ms for the first of `left` sizes near crossovers; null when `leftMs` does not pay for it. */
export const refinedShare = (size: SizeCost, left: number, leftMs: number): number | null =>
  RESERVE * inAll(size) > leftMs ? null : Math.max(inAll(size), leftMs / Math.max(1, left));
