/** The verdict of each series of a sweep, and of a published rule of thumb. */
import { carries, differenceOf } from '../../core/evidence.ts';
import type { Folklore, PublishedWinner, SweepPoint } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import { heading, list, section, tableOf } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { factor, time } from '../text/numbers.ts';
import { listed, muted, type Span, sentenceCase } from '../words.ts';
import {
  fasterAt,
  resultText,
  type Series,
  sizeRanges,
  sizeWithUnit,
  strategyNames,
  type Timed,
  timedAt,
  timedSizes,
} from './sweep-series.ts';

export interface Verdict {
  /** Name of the series. */
  where: string;
  /** The strategy that is proven to be faster at the largest size; null if none is. */
  winner: string | null;
  /** The sentence without its numbers, for a headline. */
  effect: string;
  text: string;
}

/** Null if only the object was timed. */
export function verdictOf(series: Series): Verdict | null {
  const { name, results, unit } = series;
  const size = Math.max(...results.flatMap(timedSizes));
  if (!Number.isFinite(size)) return null;
  const at = sizeWithUnit(size, unit);
  const [raw] = timedAt(series, size, [RAW]);
  const [best, ...others] = timedAt(series, size, fasterAt(series, size));
  if (raw === undefined || best === undefined)
    return { where: name, winner: null, ...undecidedTexts(series, size, at) };
  const { strategy } = best;
  const from = series.crossovers.find(
    ({ between, cheaper }) => between.includes(strategy) && cheaper.below === RAW,
  );
  const effect =
    from === undefined
      ? `${sentenceCase(strategy)} is faster`
      : `From ${sizeWithUnit(Math.round(from.size), unit)} on ${strategy} is faster`;
  const simpler = others.find((other) => other.strategy === SIMPLE);
  const texts = [
    `${effect}: ${timesOf(best, raw)} at ${at} (${insteadOf(best, raw)}).`,
    ...(from === undefined ? [] : ['Below, post the object.']),
    ...(simpler ? [`${SIMPLE}, which is simpler, is ${timesOf(simpler, raw)} as fast there.`] : []),
  ];
  return { where: name, winner: strategy, effect, text: texts.join(' ') };
}

const SIMPLE = 'json-text';

const timesOf = (one: Timed, raw: Timed): string => `${factor(raw.roundTrip.median / one.roundTrip.median)}x`;

const insteadOf = (one: Timed, raw: Timed): string =>
  `${time(one.roundTrip.median)} instead of ${time(raw.roundTrip.median)}`;

/** Minimum factor that is reported: a smaller factor may be noise. */
const MANY_TIMES = 2;

function undecidedTexts(series: Series, size: number, at: string): Pick<Verdict, 'effect' | 'text'> {
  const open = series.results.filter((one) => one.undecided.includes(size)).map(({ strategy }) => strategy);
  if (open.length === 0) {
    const names = strategyNames(series.points).filter((name) => name !== RAW);
    const are = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
    return { effect: 'Nothing is faster', text: `Post the object: ${are} not faster at ${at}.` };
  }
  const effect = 'Not decided';
  const [raw] = timedAt(series, size, [RAW]);
  const [best] = timedAt(series, size, open);
  if (raw === undefined || best === undefined || raw.roundTrip.median < MANY_TIMES * best.roundTrip.median)
    return {
      effect,
      text: `${effect}: the intervals are too wide. Measure longer with -b, on a quiet machine.`,
    };
  const few = carries(best.roundTrip, 'size') ? '' : ', by few messages';
  const took = `${best.strategy} took ${insteadOf(best, raw)} at ${at}${few}`;
  return { effect, text: `${effect}, but ${took}: measure longer with -b.` };
}

// A published rule of thumb next to the results, with the strategy that was fastest in the original benchmark.

/** "does not hold on every runtime tried"; null if its strategy was not timed. */
export function ruleVerdict({ strategy }: Folklore, all: readonly Series[]): string | null {
  const tried = all.flatMap(({ results }) => results.filter((one) => one.strategy === strategy));
  if (tried.length === 0) return null;
  if (
    tried.some(({ faster, slower, undecided }) => slower.length > 0 || faster.length + undecided.length === 0)
  )
    return 'does not hold on every runtime tried';
  return tried.every(({ faster }) => faster.length > 0) ? 'holds on every runtime tried' : 'is not decided';
}

/** Strategy that was fastest in an older relative of a runtime, and the strategies that are fastest now, by size. */
interface Winner {
  where: string;
  published: PublishedWinner;
  now: readonly { strategies: readonly string[]; sizes: string }[];
}

export function ruleNode(
  { says, source, strategy, won = [] }: Folklore,
  verdict: string,
  all: readonly Series[],
) {
  const results = all.flatMap(({ name, results }) =>
    results.filter((one) => one.strategy === strategy).map((result) => `${name}: ${resultText(result)}`),
  );
  const winners = all.flatMap((series): Winner[] => {
    const published = won.find((one) => one.runtime === series.runtime.name);
    return published ? [{ where: series.name, published, now: fastestBySize(series) }] : [];
  });
  return section([
    heading(`Rule of thumb: "${says}" (${source}). It ${verdict}:`),
    list(results),
    tableOf('Then and now', winners, [
      { head: 'runtime', cell: ({ where }) => where },
      { head: 'fastest then', cell: ({ published: { strategy: name, on } }) => `${name} (${on})` },
      { head: 'fastest here', cell: ({ now }) => fastestText(now) },
      { head: '', cell: changeCell },
    ]),
  ]);
}

const fastestText = (now: Winner['now']): string =>
  listed(now.map(({ strategies, sizes }) => `${strategies.join(' or ')} ${sizes}`)) ||
  'not decided: raise --budget';

function changeCell({ now, published: { strategy } }: Winner): Span {
  if (now.length === 0) return '';
  const isSame = now.every(({ strategies }) => strategies.includes(strategy));
  return isSame ? muted('as published') : { text: 'changed', tone: 'fair' };
}

/** Fastest strategies by size; undecided sizes are omitted. */
function fastestBySize(series: Series): Winner['now'] {
  const sizes = [...new Set(series.results.flatMap(timedSizes))].sort((a, b) => a - b);
  const fastest = sizes.map((size) => ({ size, strategies: fastestAt(series, size) }));
  const won = fastest.filter(({ strategies }) => strategies.length > 0);
  return groupedBy(won, ({ strategies }) => strategies).map(([strategies, own]) => {
    const at = own.map(({ size }) => size);
    return { strategies, sizes: sizeRanges(at, sizes) };
  });
}

/** The fastest strategy and its equals; raw if none is faster; none if that is undecided. */
function fastestAt(series: Series, size: number): string[] {
  const faster = fasterAt(series, size);
  const isOpen = series.results.some(({ undecided }) => undecided.includes(size));
  if (faster.length === 0) return isOpen ? [] : [RAW];
  const [fastest, ...others] = timedAt(series, size, faster);
  if (fastest === undefined) return [];
  return [fastest, ...others.filter((other) => !isSlower(other, fastest))].map(({ strategy }) => strategy);
}

/** Compares the shares of raw's time, or the times if a report lacks shares. */
function isSlower(one: SweepPoint, fastest: SweepPoint): boolean {
  const [slow, fast] =
    one.ratio && fastest.ratio ? [one.ratio, fastest.ratio] : [one.roundTrip, fastest.roundTrip];
  return slow !== null && fast !== null && differenceOf(fast, slow) === 'higher';
}
