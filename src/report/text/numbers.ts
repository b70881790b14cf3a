/** Numbers with units, with a decimal point and thousands commas in every locale. */

import type { Interval, RatioEstimate } from '../../model/documents/measurement.ts';
import { count, counted } from '../../model/units.ts';
import { carries, type Evidence, lackText } from '../../stats/evidence.ts';

export { count, counted };

const unitsOf = (names: readonly string[]) => names.map((unit, power) => ({ unit, size: 1000 ** power }));
const TIMES = unitsOf(['ns', 'µs', 'ms', 's']);
const BYTES = unitsOf(['B', 'kB', 'MB', 'GB', 'TB']);

/** A number with three significant digits, or a whole number from 100 on. */
function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95) return count(Math.round(value));
  if (size >= 9.995) return value.toFixed(1);
  return size === 0 ? '0' : value.toFixed(2);
}

/** Unit that leaves up to three digits before the point; 999.6 ns already rounds to 1.00 µs. */
const unitFor = (value: number, units: typeof TIMES) =>
  units.findLast(({ size }) => Math.abs(value) >= size * 0.9995) ?? units[0]!;

const inUnit = (value: number, { size }: (typeof TIMES)[number]): string =>
  size === 1 ? count(Math.round(value)) : digits(value / size);

export function time(ns: number): string {
  if (!Number.isFinite(ns)) return 'unknown';
  const unit = unitFor(ns, TIMES);
  return `${inUnit(ns, unit)} ${unit.unit}`;
}

export const medianText = ({ median }: { median: number }): string => time(median);

/** "405–420 µs": both ends in the unit of the upper end; "too few samples: 3" if the interval is not reliable. */
export const timeInterval = (evidence: Evidence): string =>
  lackText(evidence, 'size') ?? intervalIn(TIMES, evidence.ci);

function intervalIn(units: typeof TIMES, [low, high]: Interval): string {
  const unit = unitFor(high, units);
  return `${inUnit(low, unit)}–${inUnit(high, unit)} ${unit.unit}`;
}

export function bytes(value: number): string {
  const unit = unitFor(value, BYTES);
  return `${inUnit(value, unit)} ${unit.unit}`;
}

export const bytesInterval = (ci: Interval): string => intervalIn(BYTES, ci);

/** "0.34": new time over old time. */
export const ratioText = (value: number): string =>
  Math.abs(value) >= 9.995 ? digits(value) : value.toFixed(2);

/** "0.31–0.34"; "too few samples: 3" if the interval is not reliable. */
export function ratioInterval(evidence: Evidence): string {
  const [low, high] = evidence.ci;
  return lackText(evidence, 'size') ?? `${ratioText(low)}–${ratioText(high)}`;
}

/** "2.9x faster", "1.1x slower", "the same": a ratio in words. "at least 1.4x faster" if its size is not known. */
export function speed(estimate: RatioEstimate): string {
  if (carries(estimate, 'size')) return speedText(estimate.ratio);
  const [low, high] = estimate.ci;
  const least = !carries(estimate, 'side') ? null : high < 1 ? high : low > 1 ? low : null;
  return least === null ? 'not known' : `at least ${speedText(least)}`;
}

function speedText(value: number): string {
  if (value > 0 && value < 0.995) return `${factor(1 / value)}x faster`;
  return value > 1.005 ? `${factor(value)}x slower` : 'the same';
}

/** "2.9x", "1.1x slower": a speed without "faster", for places that already say that it is a gain. */
export const gainFactor = (gain: RatioEstimate): string => speed(gain).replace(' faster', '');

export function gainInterval(gain: RatioEstimate): string {
  const [low, high] = gain.ci;
  return lackText(gain, 'size') ?? `${factor(1 / high)}–${factor(1 / low)}x`;
}

export const speedWithInterval = (gain: RatioEstimate): string => `${speed(gain)} (${gainInterval(gain)})`;

export function factor(value: number): string {
  if (value >= 9.95) return count(Math.round(value));
  return value < 1.095 ? value.toFixed(2) : value.toFixed(1);
}

/** "12 %", "1.7 %"; "<0.1 %" if the digits would be 0. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return '<0.1 %';
  const value = share * 100;
  return `${value >= 10 || value === 0 ? Math.round(value) : value.toFixed(1)} %`;
}

export function changeText(change: number): string {
  const value = Math.round(100 * (change - 1));
  return `${value < 0 ? '-' : '+'}${count(Math.abs(value))} %`;
}

export const measuredChange = (change: number, evidence: Evidence): string =>
  lackText(evidence, 'size') ?? `${changeText(change)} (95 %: ${evidence.ci.map(changeText).join(' to ')})`;
