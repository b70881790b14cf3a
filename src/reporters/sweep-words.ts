/** What a sweep comes to, in sentences; nothing is escaped or wrapped yet. */
import type { Crossover, DimensionName, StrategyResult, SweepPoint, SweepReport } from '../model/sweep.ts';
import { bytes, count } from './numbers.ts';

export const RAW = 'raw';

export const specOf = ({ name, version }: SweepPoint['runtime']): string => `${name}@${version}`;

/** "1.5" below 10, "1,204" above. */
export const sizeText = (size: number): string =>
  size < 10 && !Number.isInteger(size) ? size.toFixed(1) : count(Math.round(size));

/** "1 item", "1,204 items" */
export function sized(size: number, unit: DimensionName): string {
  return `${sizeText(size)} ${size === 1 ? unit.slice(0, -1) : unit}`;
}

/** "at every size", "at 1 and from 20 to 30": sizes by their neighbours among all of them. */
export function spans(sizes: readonly number[], all: readonly number[]): string {
  if (sizes.length === all.length && all.length > 1) return 'at every size';
  const parts: string[] = [];
  for (let at = 0; at < sizes.length; ) {
    let end = at;
    while (end + 1 < sizes.length && all.indexOf(sizes[end + 1]!) === all.indexOf(sizes[end]!) + 1) end++;
    const [first, last] = [sizes[at]!, sizes[end]!];
    parts.push(at === end ? `at ${sizeText(first)}` : `from ${sizeText(first)} to ${sizeText(last)}`);
    at = end + 1;
  }
  return listed(parts);
}

export function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

const sizesOf = ({ faster, slower, even }: StrategyResult): number[] =>
  [...faster, ...slower, ...even].sort((a, b) => a - b);

/** "columns: faster from 3 to 400; slower at 1. Below 1.5 items raw is cheaper (95 %: 1.3–1.8)." */
export function standingText(standing: StrategyResult, crossovers: readonly Crossover[]): string {
  const { strategy, faster, slower, even } = standing;
  const all = sizesOf(standing);
  if (all.length === 0) return `${strategy}: could not be timed.`;
  const parts = [
    { word: 'faster', sizes: faster },
    { word: 'slower', sizes: slower },
    { word: 'no difference that counts', sizes: even },
  ].filter(({ sizes }) => sizes.length > 0);
  const said = parts.map(({ word, sizes }) => `${word} ${spans(sizes, all)}`).join('; ');
  return [`${strategy}: ${said}.`, ...crossovers.map(crossingText)].join(' ');
}

function crossingText({ size, unit, ci, cheaper }: Crossover): string {
  const side = cheaper.below === RAW ? 'Below' : 'Above';
  return `${side} ${sizeText(size)} ${unit} raw is cheaper (95 %: ${sizeText(ci[0])}–${sizeText(ci[1])}).`;
}

/** "Memory a message at 400 items: raw 52.1 kB, json-text 21.0 kB."; empty where nothing was weighed. */
export function memoryTexts(points: readonly SweepPoint[]): string[] {
  const largest = Math.max(...points.map(({ size }) => size));
  const weighed = points.flatMap(({ size, strategy, peakMemory }) =>
    size === largest && peakMemory ? [`${strategy} ${bytes(peakMemory.perMessage)}`] : [],
  );
  if (weighed.length === 0) return [];
  return [`Memory a message at ${sized(largest, points[0]!.unit)}: ${weighed.join(', ')}.`];
}

/** What the rule of thumb comes to on each runtime, and whether it holds today. */
export function folkloreText({ folklore, standings }: SweepReport): string[] {
  if (folklore === null) return [];
  const tried = standings.filter(({ strategy }) => strategy === folklore.strategy);
  if (tried.length === 0) return [];
  const severalChannels = new Set(tried.map(({ channel }) => channel)).size > 1;
  const lines = tried.map((standing) => {
    const { runtime, channel, unit, faster, slower } = standing;
    const all = sizesOf(standing);
    const where = `${specOf(runtime)}${severalChannels ? ` over ${channel}` : ''}`;
    const parts = [
      ...(faster.length > 0 ? [`wins ${spans(faster, all)}`] : []),
      ...(slower.length > 0 ? [`loses ${spans(slower, all)}`] : []),
    ];
    const said = parts.length > 0 ? parts.join(', ') : 'makes no difference that counts';
    return `${where}: ${said}${/\d$/.test(said) ? ` ${unit}` : ''}`;
  });
  const agrees = tried.every(({ faster, slower }) => faster.length > 0 && slower.length === 0);
  const verdict = agrees ? 'Today it holds wherever it was tried:' : "Today's engines disagree:";
  return [`The folklore: "${folklore.says}" (${folklore.source}). ${verdict}`, ...lines];
}
