/** What all programs together say, beside the bars. */
import { sumOf } from '../../src/model/sums.ts';
import { median } from '../../src/stats/intervals/intervals.ts';
import { isOther } from './advice.ts';
import { isWithin } from './agreement.ts';
import type { Checked } from './check-app.ts';

/** Share of the sites whose bytes are within their intervals, at least. */
const MIN_WITHIN = 0.98;
/** Median of high by low end, at most. */
const MAX_WIDTH = 1.3;
/** Bytes that were counted by told ones, or the other way round, at each site. */
export const MAX_FACTOR = 2;
/** Share of the sites with the same advice for what was recorded and for what was posted. */
const MIN_ADVICE = 0.95;

export interface Summary {
  lines: string[];
  missed: string[];
}

/** How far the middle of what was told is from what was counted. */
export function factorOf({ counted, low, high }: { counted: number; low: number; high: number }): number {
  const ratio = Math.max(1, Math.sqrt(low * high)) / Math.max(1, counted);
  return Math.max(ratio, 1 / ratio);
}

/** A site without a byte at either end has the narrowest interval. */
const widthOf = ({ low, high }: { low: number; high: number }) => (high === 0 ? 1 : high / Math.max(1, low));

export function summaryOf(all: readonly Checked[]): Summary {
  const differing = all.filter(({ differences }) => differences.length > 0);
  const varying = all.filter(({ varies }) => varies.length > 0);
  const wrong = all.filter(({ counts }) => counts.wrong.length > 0);
  const sites = all.flatMap((one) => one.sites).filter(({ told }) => told > 0);
  const sized = sites.flatMap(({ bytes }) => bytes ?? []);
  const within = sized.length === 0 ? 1 : sized.filter(isWithin).length / sized.length;
  const width = sized.length === 0 ? 1 : median(sized.map(widthOf));
  const factor = Math.max(1, ...sized.map(factorOf));
  const advice = all.flatMap((one) => one.advice);
  const agreeing = advice.length === 0 ? 1 : 1 - advice.filter(isOther).length / advice.length;
  const tail = sumOf(all, ({ counts }) => counts.tail);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const lines = [
    `${all.length} programs: ${all.length - differing.length} as without the recorder (two plain runs of ${varying.length} differ in something), ${differing.length} not`,
    `messages: ${sumOf(all, ({ counts }) => counts.counted)} counted; told numbers are equal in ${all.length - wrong.length} programs, ${tail} messages lack where the recording says that some may`,
    `bytes: ${percent(within)} of ${sized.length} sites within the told interval (at least ${percent(MIN_WITHIN)}), median width ${width.toFixed(2)}x (at most ${MAX_WIDTH}x), at most ${factor.toFixed(2)}x off (at most ${MAX_FACTOR}x); ${sites.length - sized.length} sites without a size`,
    `advice: ${percent(agreeing)} of ${advice.length} groups of messages get what a posted message gets (at least ${percent(MIN_ADVICE)})`,
  ];
  const missed = [
    ...(differing.length > 0 ? ['output, exit code, files or messages'] : []),
    ...(wrong.length > 0 ? ['numbers of messages'] : []),
    ...(within < MIN_WITHIN ? ['bytes within the interval'] : []),
    ...(factor > MAX_FACTOR ? ['bytes of a site'] : []),
    ...(agreeing < MIN_ADVICE ? ['advice'] : []),
    ...(width > MAX_WIDTH ? ['width of the intervals'] : []),
  ];
  return { lines, missed };
}
