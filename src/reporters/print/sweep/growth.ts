/** Growth of the object's round trip with its size, and the size where growth begins. */
import { carries } from '../../../core/evidence.ts';
import type { Estimate, Interval } from '../../../model/documents/measurement.ts';
import { RAW } from '../../../model/vocabulary/sweep.ts';
import { factor } from '../../text/numbers.ts';
import { amountText, type Series, sizeWithUnit } from './sweep-texts.ts';

interface Timed {
  size: number;
  roundTrip: Estimate;
}

/** Maximum multiple of the first time that counts as about the same. */
const ALIKE = 1.5;
/** Minimum ratio of sizes: closer sizes do not show growth. */
const LEAST_RANGE = 4;
/** Share of the largest size where measuring growth starts: the fixed cost of a message is small there. */
const END = 1 / 8;
/** Exponents of a time that counts as proportional to the size. */
const AS_SIZE: Interval = [0.75, 1.25];

/** Empty if too few sizes were timed, or if the intervals are inconclusive. */
export function growthTexts({ points, unit }: Series): string[] {
  const timed = points
    .filter((one): one is typeof one & Timed => one.strategy === RAW && carries(one.roundTrip, 'size'))
    .filter(({ size }) => size > 0)
    .sort((a, b) => a.size - b.size);
  const [first, last] = [timed[0], timed.at(-1)];
  if (first === undefined || last === undefined || last.size < LEAST_RANGE * first.size) return [];
  const growing = timed.findIndex(({ roundTrip }) => roundTrip.median > ALIKE * first.roundTrip.median);
  if (growing < 0) return ['As it is, a message costs about the same at every size.'];
  const flat = timed[growing - 1] ?? first;
  const isFlat = flat.size >= LEAST_RANGE * first.size;
  const same = `As it is, a message costs about the same up to ${sizeWithUnit(flat.size, unit)}`;
  const grows = growthText(timed.findLast(({ size }) => size <= END * last.size) ?? first, last);
  if (grows === null) return isFlat ? [`${same}.`] : [];
  return [isFlat ? `${same}, then ${grows}.` : `As it is, the cost of a message ${grows}.`];
}

/** Null unless a single range contains the whole interval. */
function growthText(from: Timed, to: Timed): string | null {
  const sizes = to.size / from.size;
  const power = (start: number, end: number) => Math.log(end / start) / Math.log(sizes);
  const least = power(from.roundTrip.ci[1], to.roundTrip.ci[0]);
  const most = power(from.roundTrip.ci[0], to.roundTrip.ci[1]);
  const times = factor(to.roundTrip.median / from.roundTrip.median);
  const seen = `${times}x the time for ${factor(sizes)}x the size, up to ${amountText(to.size)}`;
  if (least > AS_SIZE[1]) return `grows faster than the size (${seen})`;
  if (most < AS_SIZE[0]) return `grows more slowly than the size (${seen})`;
  return least >= AS_SIZE[0] && most <= AS_SIZE[1] ? 'grows as the size does' : null;
}
