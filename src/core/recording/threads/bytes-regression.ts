/**
 * Bytes of a group from the messages that were sized, by regression on the hint that every message has. Sizes of one class
 * vary with the hint, so a mean times the count would be wrong by the choice of the messages that were sized.
 */
import type { Total } from '../../../model/recording/recording.ts';
import { studentFactor } from '../../stats/student.ts';

export interface SizedMessage {
  hint: number;
  bytes: number;
  /** By its shape. */
  estimated?: true;
}

/** Of an estimate by the shape: half as much again, or less by a third. */
const SHAPE_SPREAD = 1.5;

const CONFIDENCE = 0.95;
/** Of an estimate that few messages do not bound: a quarter to four times. */
const UNKNOWN_SPREAD = 4;
/** Hints are made to be about as many as bytes. */
const USUAL_SLOPE = 1;

/** bytes = base + slope x hint, with weights, because the scatter grows with the size. */
interface Line {
  base: number;
  slope: number;
  /** Variance of a message of weight 1. */
  variance: number;
  weights: number;
  meanHint: number;
  /** Weighted sum of squares of the hints about their mean; 0 where they tell no slope. */
  spread: number;
}

const weightOf = (hint: number, typical: number) => 1 / (hint + typical) ** 2;

function fitted(sized: readonly SizedMessage[], typical: number): Line {
  let weights = 0;
  let hints = 0;
  let bytes = 0;
  for (const one of sized) {
    const weight = weightOf(one.hint, typical);
    weights += weight;
    hints += weight * one.hint;
    bytes += weight * one.bytes;
  }
  const meanHint = hints / weights;
  const meanBytes = bytes / weights;
  let spread = 0;
  let shared = 0;
  for (const one of sized) {
    const weight = weightOf(one.hint, typical);
    spread += weight * (one.hint - meanHint) ** 2;
    shared += weight * (one.hint - meanHint) * (one.bytes - meanBytes);
  }
  // Hints that are the same but for rounding tell nothing.
  const told = spread > weights * (1e-6 * (meanHint + 1)) ** 2;
  const slope = told ? Math.max(0, shared / spread) : USUAL_SLOPE;
  const base = meanBytes - slope * meanHint;
  let squares = 0;
  for (const one of sized)
    squares += weightOf(one.hint, typical) * (one.bytes - base - slope * one.hint) ** 2;
  const variance = squares / Math.max(1, sized.length - 2);
  return { base, slope, variance, weights, meanHint, spread: told ? spread : 0 };
}

/**
 * @param sized messages that were sized
 * @param count of all messages @param hintSum of all messages
 * @param areCounted whether those that were sized are among them, or only like them
 * @returns null where none was sized
 */
export function totalBytes(
  sized: readonly SizedMessage[],
  count: number,
  hintSum: number,
  areCounted = true,
): Total | null {
  if (sized.length === 0) return null;
  const sum = sumOf(sized, count, hintSum, areCounted);
  if (!sized.some(({ estimated }) => estimated)) return sum;
  const [low, high] = sum.ci;
  return { ...sum, ci: [Math.round(low / SHAPE_SPREAD), Math.round(high * SHAPE_SPREAD)] };
}

function sumOf(sized: readonly SizedMessage[], count: number, hintSum: number, areCounted: boolean): Total {
  const counted = areCounted ? sized : [];
  const known = counted.reduce((sum, one) => sum + one.bytes, 0);
  const max = sized.reduce((most, one) => Math.max(most, one.bytes), 0);
  const others = count - counted.length;
  if (others <= 0) return { total: known, ci: [known, known], max };
  const hints = Math.max(0, hintSum - counted.reduce((sum, one) => sum + one.hint, 0));
  const typical = 1 + hintSum / count;
  const line = fitted(sized, typical);
  const rest = Math.max(0, line.base * others + line.slope * hints);
  const isSame = line.variance < 1e-18 && Math.abs(hints / others - line.meanHint) <= 1e-6 * typical;
  const half =
    sized.length < 3 && !isSame ? null : halfWidth(line, sized.length, others, hints / others, typical);
  const total = Math.round(known + rest);
  const low = half === null ? known + rest / UNKNOWN_SPREAD : Math.max(known, known + rest - half);
  const high = half === null ? known + rest * UNKNOWN_SPREAD : known + rest + half;
  return { total, ci: [Math.min(total, Math.round(low)), Math.max(total, Math.round(high))], max };
}

/** Of the sum of the messages that were not sized: their own scatter, and that of the line. */
function halfWidth(line: Line, sized: number, others: number, meanHint: number, typical: number): number {
  if (line.variance === 0) return 0;
  const ofLine = 1 / line.weights + (line.spread > 0 ? (meanHint - line.meanHint) ** 2 / line.spread : 0);
  const variance = line.variance * (others ** 2 * ofLine + others / weightOf(meanHint, typical));
  return studentFactor(CONFIDENCE, Math.max(1, sized - 2)) * Math.sqrt(variance);
}
