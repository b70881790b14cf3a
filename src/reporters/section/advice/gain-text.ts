import { carries, lackText } from '../../../core/evidence.ts';
import type { RatioEstimate } from '../../../model/documents/measurement.ts';
import { ratioInterval, ratio as ratioText, speed } from '../../text/numbers.ts';

/** "2.9x faster (0.34 of the time, 95 % interval 0.33–0.36)"; of several runs, from the least gain to the largest. */
export function gainText(gains: readonly RatioEstimate[]): string {
  const [least, ...others] = [...gains].sort((a, b) => b.ratio - a.ratio);
  const largest = others.at(-1);
  if (least === undefined) return '';
  // What is known least says how much is known of all.
  const unknown = gains.find((gain) => !carries(gain, 'size'));
  if (unknown !== undefined) return `${speed(unknown)} (${lackText(unknown, 'size')})`;
  if (largest === undefined) {
    return `${speed(least)} (${ratioText(least.ratio)} of the time, 95 % interval ${ratioInterval(least)})`;
  }
  const speeds = [...new Set([speed(least), speed(largest)])].join(' to ').replace(' faster to', ' to');
  const ratios = new Set([ratioText(largest.ratio), ratioText(least.ratio)]);
  return `${speeds} (${[...ratios].join('–')} of the time)`;
}
