/** What all programs together say, beside the bars. */
import { isWithin, sumOf } from './agreement.ts';
import type { Checked } from './check-app.ts';

/** Share of the sites whose bytes are within their intervals, at least. */
const MIN_WITHIN = 0.95;
/** Median of high by low end, at most. */
const MAX_WIDTH = 1.4;

export interface Summary {
  lines: string[];
  /** Bars that are missed. */
  missed: string[];
}

const median = (all: readonly number[]): number => {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted.length === 0 ? 1 : sorted[Math.floor((sorted.length - 1) / 2)]!;
};

/** A site without a byte at either end has the narrowest interval. */
const widthOf = ({ low, high }: { low: number; high: number }) => (high === 0 ? 1 : high / Math.max(1, low));

export function summaryOf(all: readonly Checked[]): Summary {
  const differing = all.filter(({ differences }) => differences.length > 0);
  const varying = all.filter(({ varies }) => varies.length > 0);
  const wrong = all.filter(({ counts }) => counts.wrong.length > 0);
  const sites = all.flatMap((one) => one.sites).filter(({ told }) => told > 0);
  const sized = sites.flatMap(({ bytes }) => bytes ?? []);
  const within = sized.length === 0 ? 1 : sized.filter(isWithin).length / sized.length;
  const width = median(sized.map(widthOf));
  const tail = sumOf(all, ({ counts }) => counts.tail);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const lines = [
    `${all.length} programs: ${all.length - differing.length} as without the recorder (two plain runs of ${varying.length} differ in something), ${differing.length} not`,
    `messages: ${sumOf(all, ({ counts }) => counts.counted)} counted; told numbers are equal in ${all.length - wrong.length} programs, ${tail} messages lack where the recording says that some may`,
    `bytes: ${percent(within)} of ${sized.length} sites within the told interval (at least ${percent(MIN_WITHIN)}), median width ${width.toFixed(2)}x (at most ${MAX_WIDTH}x); ${sites.length - sized.length} sites without a size`,
  ];
  const missed = [
    ...(differing.length > 0 ? ['output, exit code, files or messages'] : []),
    ...(wrong.length > 0 ? ['numbers of messages'] : []),
    ...(within < MIN_WITHIN ? ['bytes within the interval'] : []),
    ...(width > MAX_WIDTH ? ['width of the intervals'] : []),
  ];
  return { lines, missed };
}
