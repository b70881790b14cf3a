/** How the published comparison of two versions looks here: by the sender's call, and by the whole trip. */
import type { Estimate } from '../model/report.ts';
import type { SweepPoint } from '../model/sweep.ts';
import { bytes, count, ratio } from './numbers.ts';
import { sized, specOf } from './sweep-words.ts';

/** Differences below this are not worth a sentence. */
const WORTH = 1.5;

/** One sentence for each slower runtime at the largest size of each payload. */
export function comparisonTexts(points: readonly SweepPoint[]): string[] {
  const series = [...new Set(points.map(({ payload, channel }) => JSON.stringify([payload, channel])))];
  return series.flatMap((key) => {
    const own = points.filter((point) => JSON.stringify([point.payload, point.channel]) === key);
    const largest = Math.max(...own.map(({ size }) => size));
    return atSize(own.filter(({ size }) => size === largest));
  });
}

const senderOf = ({ channel, send, roundTrip }: SweepPoint): Estimate | null =>
  channel === 'structured-clone' ? roundTrip : send;

/** Each against the fastest version of the same runtime, and against the fastest of all. */
function atSize(points: readonly SweepPoint[]): string[] {
  const timed = points
    .filter((point) => senderOf(point) !== null)
    .sort((a, b) => senderOf(a)!.median - senderOf(b)!.median);
  return timed.flatMap((slower) => {
    const rivals = [timed.find(({ runtime }) => runtime.name === slower.runtime.name), timed[0]];
    return [...new Set(rivals)].flatMap((fastest) => {
      const times = fastest ? senderOf(slower)!.median / senderOf(fastest)!.median : 0;
      return fastest && times >= WORTH ? [sentence(slower, fastest, times)] : [];
    });
  });
}

function sentence(slower: SweepPoint, fastest: SweepPoint, times: number): string {
  const { payload, size, unit, channel } = fastest;
  const said =
    slower.published &&
    fastest.published &&
    slower.published.of !== 'speedup' &&
    fastest.published.of !== 'speedup'
      ? `, published ${factor(slower.published.value / fastest.published.value)}`
      : '';
  const trips =
    slower.roundTrip && fastest.roundTrip ? slower.roundTrip.median / fastest.roundTrip.median : null;
  const call = channel === 'structured-clone' ? 'structuredClone' : 'the sender alone';
  const whole =
    channel === 'structured-clone' || trips === null ? '' : `; the whole round trip ${factor(trips)}`;
  const [light, heavy] = [fastest.peakMemory?.perMessage, slower.peakMemory?.perMessage];
  const memory =
    light === undefined || heavy === undefined
      ? ''
      : `; memory a message ${bytes(light)} instead of ${bytes(heavy)}`;
  return `${payload}, ${sized(size, unit)}: ${specOf(fastest.runtime)} against ${specOf(slower.runtime)}: ${call} ${factor(times)} faster${said}${whole}${memory}.`;
}

const factor = (value: number): string => `${value >= 10 ? count(Math.round(value)) : ratio(value)}x`;
