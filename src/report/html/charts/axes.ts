/**
 * Axes of charts that are as wide as their container. Positions are percentages of the width, so that text keeps its
 * size on every screen.
 */
import { scaleLinear, scaleLog } from 'd3-scale';
import { bytes, count, time } from '../../text/numbers.ts';
import { html, type Markup, type Piece } from '../markup.ts';

interface Tick {
  /** Position, 0 to 100. */
  at: number;
  text: string;
}

export interface Axis {
  /** Position of a value, 0 to 100. Values outside of the axis are placed at its ends. */
  at: (value: number) => number;
  ticks: readonly Tick[];
}

/** Shortens "1.00 ms" to "1 ms" for a tick. */
const short = (text: string): string => text.replace(/\.0+(?=\D|$)|(\.\d*?)0+(?=\D|$)/, '$1');

function ratioText(value: number): string {
  if (value === 1) return 'same';
  const factor = short((value < 1 ? 1 / value : value).toFixed(2));
  return `${factor}x ${value < 1 ? 'faster' : 'slower'}`;
}

export const TICK_TEXTS = {
  time: (value) => (value === 0 ? '0' : short(time(value))),
  bytes: (value) => short(bytes(value)),
  count,
  ratio: ratioText,
} as const satisfies Record<string, (value: number) => string>;

export type Unit = keyof typeof TICK_TEXTS;

/** Maximum number of ticks that fit on a phone. */
const MAX_TICKS = 5;
/** Minimum distance of ticks, in percent of the width: closer ticks would touch. */
const MIN_GAP = 17;

const round = (at: number): number => Math.round(at * 10) / 10;

/** Ticks in the order of the values, without ticks that would touch. */
export function spaced(values: readonly number[], at: Axis['at'], textOf: (value: number) => string): Tick[] {
  const ticks: Tick[] = [];
  for (const value of values) {
    const [here, last] = [at(value), ticks.at(-1)];
    if (last === undefined || here - last.at >= MIN_GAP) ticks.push({ at: here, text: textOf(value) });
  }
  return ticks;
}

export function linearAxis(values: readonly number[], unit: Unit): Axis {
  const top = Math.max(0, ...values.filter(Number.isFinite));
  const scale = scaleLinear([0, top || 1], [0, 100]).clamp(true);
  const at = (value: number) => round(scale(value));
  return { at, ticks: spaced(scale.ticks(MAX_TICKS), at, TICK_TEXTS[unit]) };
}

function logDomain(values: readonly number[]): [number, number] {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return [1, 10];
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  // The margin at both ends is 4 % of the logarithmic range.
  const margin = Math.max((high / low) ** 0.04, 1.02);
  return [low / margin, high * margin];
}

/** Ticks for ratios, used in both directions: 4x faster, 4x slower. */
const FACTORS = [[1.1], [1.25], [1.5], [2], [2, 4], [2, 5], [3, 10], [10], [10, 100], [100]];
/** Ticks for all other units, and the number of decades that each set repeats after. */
const STEPS = [
  ...[[1, 2, 5], [1, 3], [1]].map((steps) => ({ steps, decades: 1 })),
  ...[2, 3, 6].map((decades) => ({ steps: [1], decades })),
];

function powers([low, high]: [number, number], { steps, decades }: (typeof STEPS)[number]): number[] {
  const from = Math.floor(Math.log10(low) / decades) * decades;
  const length = Math.ceil((Math.log10(high) - from) / decades) + 1;
  const exponents = Array.from({ length }, (_, index) => from + index * decades);
  return exponents.flatMap((exponent) => steps.map((step) => step * 10 ** exponent));
}

const span = (values: readonly number[]): number => (values.at(-1) ?? 1) / (values[0] ?? 1);

/** The largest set of round values in a range whose ticks do not touch. */
export function logTicks([low, high]: [number, number], unit: Unit): number[] {
  const candidates =
    unit === 'ratio'
      ? FACTORS.map((steps) => [...steps.map((step) => 1 / step).reverse(), 1, ...steps])
      : STEPS.map((set) => powers([low, high], set));
  const at = (value: number) => (100 * Math.log(value / low)) / Math.log(high / low);
  const isApart = (value: number, index: number, all: readonly number[]) =>
    index === 0 || at(value) - at(all[index - 1] ?? value) >= MIN_GAP;
  const [best = []] = candidates
    .map((values) => values.filter((value) => value >= low && value <= high))
    .filter((values) => values.every(isApart))
    .sort((a, b) => b.length - a.length || span(b) - span(a));
  return best.length > 1 ? best : scaleLinear([low, high], [0, 1]).ticks(MAX_TICKS - 1);
}

/** Logarithmic axis of the values, with a margin. Values of 0 and below are at the left end. */
export function logAxis(values: readonly number[], unit: Unit): Axis {
  const domain = logDomain(values);
  const scale = scaleLog(domain, [0, 100]).clamp(true);
  const at = (value: number) => (value > 0 ? round(scale(value)) : 0);
  return { at, ticks: spaced(logTicks(domain, unit), at, TICK_TEXTS[unit]) };
}

export const AXIS_HEIGHT = 20;

/** Text near an end of the axis begins or ends there. */
const anchored = (at: number): Piece =>
  at < 8 ? html` text-anchor="start"` : at > 92 ? html` text-anchor="end"` : null;

export const axisMarkup = ({ ticks }: Axis, bottom: number): Markup =>
  html`<g class="axis">${ticks.map(
    ({ at, text }) =>
      html`<line x1="${at}%" x2="${at}%" y2="${bottom}"/><text x="${at}%" y="${bottom + 15}"${anchored(at)}>${text}</text>`,
  )}</g>`;
