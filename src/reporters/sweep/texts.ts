/** The results of a sweep in sentences; nothing is escaped or wrapped yet. */
import type { Crossover, StrategyResult, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import type { DimensionName } from '../../model/vocabulary/sweep.ts';
import { listed } from '../section/model/sentence.ts';
import { bytes, count } from '../text/numbers.ts';

export const RAW = 'raw';

export const runtimeSpec = ({ name, version }: SweepPoint['runtime']): string => `${name}@${version}`;

/** "1.5" below 10, "1,204" above. */
export const sizeText = (size: number): string =>
  size < 10 && !Number.isInteger(size) ? size.toFixed(1) : count(Math.round(size));

/** "1 item", "1,204 items" */
export function sizeWithUnit(size: number, unit: DimensionName): string {
  return `${sizeText(size)} ${size === 1 ? unit.slice(0, -1) : unit}`;
}

/** "the 10 items of $.rows, scaled from 1 to 1,000" */
export function scaledText({ dimension, points }: Pick<SweepReport, 'dimension' | 'points'>): string {
  if (dimension === null) return 'nothing was scaled';
  const [from, to] = [points[0]?.size ?? 0, points.at(-1)?.size ?? 0].map(sizeText);
  return `the ${sizeWithUnit(dimension.size, dimension.by)} of ${dimension.path}, scaled from ${from} to ${to}`;
}

/** "at every size", "at 1 and from 20 to 30": sizes that are neighbours among all of them make one range. */
export function sizeRanges(sizes: readonly number[], all: readonly number[]): string {
  if (sizes.length === all.length && all.length > 1) return 'at every size';
  const ranges: number[][] = [];
  for (const size of sizes) {
    const range = ranges.at(-1);
    if (range && all.indexOf(size) === all.indexOf(range.at(-1)!) + 1) range.push(size);
    else ranges.push([size]);
  }
  return listed(
    ranges.map((range) => {
      const [first, last] = [sizeText(range[0]!), sizeText(range.at(-1)!)];
      return range.length === 1 ? `at ${first}` : `from ${first} to ${last}`;
    }),
  );
}

export const sizesOf = ({ faster, slower, even, undecided }: StrategyResult): number[] =>
  [...faster, ...slower, ...even, ...undecided].sort((a, b) => a - b);

/** "columns: faster from 3 to 400; slower at 1. Below 1.5 items raw is cheaper (95 %: 1.3–1.8)." */
export function strategyText(result: StrategyResult, crossovers: readonly Crossover[]): string {
  const { strategy, faster, slower, even, undecided } = result;
  const all = sizesOf(result);
  if (all.length === 0) return `${strategy}: could not be timed.`;
  const parts = [
    { word: 'faster', sizes: faster },
    { word: 'slower', sizes: slower },
    { word: 'no relevant difference', sizes: even },
    { word: 'undecided', sizes: undecided },
  ].filter(({ sizes }) => sizes.length > 0);
  const text = parts.map(({ word, sizes }) => `${word} ${sizeRanges(sizes, all)}`).join('; ');
  return [`${strategy}: ${text}.`, ...crossovers.map(crossoverText)].join(' ');
}

function crossoverText({ size, unit, ci, cheaper }: Crossover): string {
  const side = cheaper.below === RAW ? 'Below' : 'Above';
  return `${side} ${sizeText(size)} ${unit} raw is cheaper (95 %: ${sizeText(ci[0])}–${sizeText(ci[1])}).`;
}

/** "Memory per message at 400 items: raw 52.1 kB, json-text 21.0 kB."; empty where no memory was measured. */
export function memoryTexts(points: readonly SweepPoint[]): string[] {
  const largest = Math.max(...points.map(({ size }) => size));
  const measured = points.flatMap(({ size, strategy, peakMemory }) =>
    size === largest && peakMemory ? [`${strategy} ${bytes(peakMemory.perMessage)}`] : [],
  );
  if (measured.length === 0) return [];
  return [`Memory per message at ${sizeWithUnit(largest, points[0]!.unit)}: ${measured.join(', ')}.`];
}

/** What a strategy that is not simply another form costs beside time. */
const COSTS: Readonly<Record<string, string>> = {
  transfer: 'transfer: the sender loses the buffers: after the post they are empty there.',
  'bytes-transferred':
    'bytes-transferred: each message is a new buffer, which the sender loses; the payload itself stays.',
};

export const costTexts = (strategies: readonly string[]): string[] =>
  strategies.flatMap((strategy) => COSTS[strategy] ?? []);
