/** Published comparisons of two versions, repeated here: the sender's call, and the whole round trip. */
import { carries, differenceOf } from '../../core/evidence.ts';
import type { Estimate } from '../../model/documents/measurement.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, count, ratio } from '../text/numbers.ts';
import { runtimeSpec, sizeWithUnit } from './texts.ts';

/** Smaller differences are left out. */
const MIN_FACTOR = 1.5;

/** One sentence for each slower runtime at the largest size of each payload. */
export function comparisonTexts(points: readonly SweepPoint[]): string[] {
  const series = groupedBy(points, ({ payload, channel }) => JSON.stringify([payload, channel]));
  return [...series.values()].flatMap((own) => {
    const largest = Math.max(...own.map(({ size }) => size));
    return atSize(own.filter(({ size }) => size === largest));
  });
}

/** What the published figures are about. */
export const senderOf = ({ channel, send, roundTrip }: SweepPoint): Estimate | null =>
  channel === 'structured-clone' ? roundTrip : send;

/** Each against the fastest version of the same runtime, and against the fastest of all. */
function atSize(points: readonly SweepPoint[]): string[] {
  const timed = points
    .filter((point) => senderOf(point) !== null)
    .sort((a, b) => senderOf(a)!.median - senderOf(b)!.median);
  return timed.flatMap((slower) => {
    const rivals = [timed.find(({ runtime }) => runtime.name === slower.runtime.name), timed[0]];
    return [...new Set(rivals)].flatMap((fastest) => {
      const times = fastest ? factorOf(senderOf(slower), senderOf(fastest)) : null;
      return fastest && times !== null && times >= MIN_FACTOR ? [sentence(slower, fastest, times)] : [];
    });
  });
}

/** How many times slower; null where their intervals do not show that it is, or not by how much. */
function factorOf(slower: Estimate | null, fastest: Estimate | null): number | null {
  if (!carries(slower, 'size') || !carries(fastest, 'size')) return null;
  return differenceOf(fastest, slower) === 'higher' ? slower.median / fastest.median : null;
}

function sentence(slower: SweepPoint, fastest: SweepPoint, times: number): string {
  const { payload, size, unit, channel } = fastest;
  const onlyCall = channel === 'structured-clone';
  const pair = `${runtimeSpec(fastest.runtime)} against ${runtimeSpec(slower.runtime)}`;
  const trip = factorOf(slower.roundTrip, fastest.roundTrip);
  const call = `${onlyCall ? 'structuredClone' : 'the sender alone'} ${factor(times)} faster`;
  return [
    `${payload}, ${sizeWithUnit(size, unit)}: ${pair}: ${call}${publishedText(slower, fastest)}`,
    ...(onlyCall || trip === null ? [] : [`the whole round trip ${factor(trip)}`]),
    ...(fastest.peakMemory && slower.peakMemory
      ? [`memory per message ${memoryText(fastest.peakMemory)} instead of ${memoryText(slower.peakMemory)}`]
      : []),
  ]
    .join('; ')
    .concat('.');
}

const memoryText = ({ perMessage }: { perMessage: number }): string => bytes(perMessage);

function publishedText(slower: SweepPoint, fastest: SweepPoint): string {
  const [high, low] = [slower.published, fastest.published];
  if (!high || !low || high.of === 'speedup' || low.of === 'speedup') return '';
  return `, published ${factor(high.value / low.value)}`;
}

const factor = (value: number): string => `${value >= 10 ? count(Math.round(value)) : ratio(value)}x`;
