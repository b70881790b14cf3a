/**
 * Bytes of a group from the messages that were sized, by regression on the hint that every message has. Sizes of one class
 * vary with the hint, so a mean times the count would be wrong by the choice of the messages that were sized.
 *
 * Often only one to ten were sized. So slope and scatter begin with what is usual, which counts as much as two messages do:
 * where hints make up most of the bytes, messages of one hint are about as large; where they do not, they may be anything.
 */
import type { Total } from '../../../../model/documents/recorded/recording.ts';
import { studentFactor } from '../../../stats/student.ts';

export interface SizedMessage {
  hint: number;
  bytes: number;
  /** Where not all of the message was seen: half width of their 95 % interval, as a share. */
  error?: number;
  /** Messages that were posted since the one before was sized; 1 where that is not known. */
  stands?: number;
}

const CONFIDENCE = 0.95;
/** Hints are made to be about as many as bytes. */
const USUAL_SLOPE = 1;
/** Standard deviation of slopes, of the bytes of a unit of the hint. */
const SLOPE_SPREAD = 0.25;
/** Standard deviation of messages of one hint, as a share: where hints are none of the bytes, and where they are all. */
const BLIND_SCATTER = 0.38;
const TOLD_SCATTER = 0.08;
/** Where hints are the bytes but for this share, they are those of a text or of a buffer. */
const BESIDE = 0.05;
const MIN_SCATTER = 0.003;
/** Messages that were not looked at may differ from those that are all on one line: as a share, by how many these are. */
const DRIFT = 0.1;
const USUAL_FREEDOM = 2;
/** What rounding leaves of a sum of squares that is 0, as a share. */
const ROUNDING = 1e-12;
/** A factor of 4: an interval that is wider has ends that mean nothing. */
const MAX_LOG = Math.log(4);

/** bytes = base + slope x hint, with weights, because the scatter grows with the size. */
interface Line {
  base: number;
  slope: number;
  slopeVariance: number;
  /** Variance of a message of weight 1, and of how many messages beyond the line it is. */
  variance: number;
  freedom: number;
  weights: number;
  meanHint: number;
}

const sumBy = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0);
const weightOf = (hint: number, typical: number) => 1 / (hint + typical) ** 2;
const standsFor = ({ stands = 1 }: SizedMessage) => stands;

/** How much more uncertain sums are, because some of the messages stand for more others than the rest. */
function unevenness(sized: readonly SizedMessage[]): number {
  const mean = sumBy(sized, standsFor) / sized.length;
  return sumBy(sized, (one) => (standsFor(one) / mean) ** 2) / sized.length;
}

/** @param meanOthers mean hint of the messages that were not sized */
function fitted(sized: readonly SizedMessage[], typical: number, meanOthers: number): Line {
  const uneven = unevenness(sized);
  const meanStands = sumBy(sized, standsFor) / sized.length;
  const weighted = (of: (one: SizedMessage) => number) =>
    sumBy(sized, (one) => (standsFor(one) / meanStands) * weightOf(one.hint, typical) * of(one));
  const weights = weighted(() => 1);
  const meanHint = weighted(({ hint }) => hint) / weights;
  const meanBytes = weighted(({ bytes }) => bytes) / weights;
  const spread = weighted(({ hint }) => (hint - meanHint) ** 2);
  const shared = weighted(({ hint, bytes }) => (hint - meanHint) * (bytes - meanBytes));
  const squares = weighted(({ bytes }) => (bytes - meanBytes) ** 2);
  // Hints that are the same but for rounding tell no slope.
  const isTold = spread > ROUNDING * weights * (meanHint + 1) ** 2;
  const rest = Math.max(0, squares - (isTold ? shared ** 2 / spread : 0));
  const isOn = isTold
    ? sized.length > 2
    : sized.length > 1 && Math.abs(meanOthers - meanHint) <= 1e-6 * typical;
  const freedom = USUAL_FREEDOM + Math.max(0, sized.length / uneven - (isTold ? 2 : 1));
  const line = { weights: weights / uneven, meanHint, freedom };
  if (isOn && rest <= ROUNDING * weights * meanBytes ** 2) {
    const slope = isTold ? shared / spread : 0;
    if (slope >= 0)
      return { ...line, slope, base: meanBytes - slope * meanHint, variance: 0, slopeVariance: 0 };
  }
  const size = Math.max(1, meanBytes);
  const each = size / Math.max(1, meanHint);
  const untold = Math.max(0, 1 - USUAL_SLOPE / each);
  const told = MIN_SCATTER + TOLD_SCATTER * Math.min(1, Math.abs(1 - USUAL_SLOPE / each) / BESIDE);
  const scatter = told + (BLIND_SCATTER - told) * untold;
  const usual = ((scatter * size) / (meanHint + typical)) ** 2;
  const variance = (USUAL_FREEDOM * usual + rest / uneven) / freedom;
  const slopePrior = (SLOPE_SPREAD * each) ** 2;
  const precision = 1 / (variance * uneven);
  const certain = spread * precision + 1 / slopePrior;
  const slope = Math.max(0, (shared * precision + Math.min(USUAL_SLOPE, each) / slopePrior) / certain);
  return { ...line, slope, base: meanBytes - slope * meanHint, variance, slopeVariance: 1 / certain };
}

/**
 * @param sized messages that were sized
 * @param count of all messages @param hintSum of all messages
 * @param areCounted whether those that were sized are among them, or only like them
 * @returns null if none was sized
 */
export function totalBytes(
  sized: readonly SizedMessage[],
  count: number,
  hintSum: number,
  areCounted = true,
): Total | null {
  if (sized.length === 0) return null;
  const counted = areCounted ? sized : [];
  const known = sumBy(counted, ({ bytes }) => bytes);
  const max = sized.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  const others = Math.max(0, count - counted.length);
  const hints = Math.max(0, hintSum - sumBy(counted, ({ hint }) => hint));
  const [low, rest, high] = others === 0 ? [0, 0, 0] : sumOfOthers(sized, others, hints, 1 + hintSum / count);
  const total = Math.round(known + rest);
  const bytes = sumBy(sized, (one) => one.bytes);
  // Each was counted by other parts.
  const error = Math.sqrt(sumBy(sized, (one) => ((one.error ?? 0) * one.bytes) ** 2)) / Math.max(1, bytes);
  const [down, up] = [widened(total, known + low, error), widened(known + high, total, error)];
  const ci: Total['ci'] = [
    Math.min(total, Math.round(total / down)),
    Math.max(total, Math.round(total * up)),
  ];
  return { total, ci, max };
}

/** The ratio of an end of the interval to its middle, with an independent error besides. */
const widened = (large: number, small: number, error: number): number =>
  Math.exp(Math.hypot(Math.log(Math.max(1, large) / Math.max(1, small)), Math.log1p(error)));

/** Lower end, sum and upper end of the messages that were not sized: their own scatter, and that of the line. */
function sumOfOthers(
  sized: readonly SizedMessage[],
  others: number,
  hints: number,
  typical: number,
): [low: number, sum: number, high: number] {
  const meanHint = hints / others;
  const line = fitted(sized, typical, meanHint);
  const sum = Math.max(0, line.base * others + line.slope * hints);
  const drift = (DRIFT * unevenness(sized)) / sized.length;
  if (line.variance === 0) return [sum / (1 + drift), sum, sum * (1 + drift)];
  const ofMean = line.variance / line.weights + (meanHint - line.meanHint) ** 2 * line.slopeVariance;
  const variance = others ** 2 * ofMean + (others * line.variance) / weightOf(meanHint, typical);
  const half = studentFactor(CONFIDENCE, line.freedom) * Math.sqrt(variance);
  // Sizes are positive, and few messages say a factor rather than a difference.
  const factor = Math.exp(half / Math.max(sum, half / MAX_LOG));
  return [sum / factor, sum, Math.max(sum * factor, sum + half)];
}
