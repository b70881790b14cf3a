/** The axis of sizes, which may begin at 0. */
import { scaleLog, scaleSymlog } from 'd3-scale';
import type { Interval } from '../../../../model/documents/measurement.ts';
import { count } from '../../../text/numbers.ts';
import { type Axis, logTicks, spaced, TICK_TEXTS, type Unit } from '../axes.ts';

/** "10k", "2M" */
const SHORT: readonly (readonly [least: number, sign: string])[] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e4, 'k'],
];

function formatSize(value: number, unit: Unit): string {
  const [least, sign] = SHORT.find(([one]) => value >= one) ?? [1, ''];
  const size = sign === 'k' ? 1e3 : least;
  return unit === 'count' && Number.isInteger(value / size)
    ? `${count(value / size)}${sign}`
    : TICK_TEXTS[unit](value);
}

/** From end to end. Logarithmic; where 0 is one of the sizes, it is the axis of log(1 + size). */
export function sizeAxis([low, high]: Interval, unit: Unit): Axis {
  if (!(low < high)) return { at: () => 50, ticks: [{ at: 50, text: formatSize(low, unit) }] };
  const scale = (low > 0 ? scaleLog() : scaleSymlog()).domain([low, high]).range([0, 100]).clamp(true);
  const at = (value: number) => Math.round(scale(value) * 100) / 100;
  const ticks = [...(low > 0 ? [] : [0]), ...logTicks([Math.max(1, low), high], unit)];
  return { at, ticks: spaced(ticks, at, (value) => formatSize(value, unit)) };
}
