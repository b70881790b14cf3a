/** A published rule of thumb and what was fastest where it was found, beside the results. */
import { differenceOf } from '../../core/evidence.ts';
import type { StrategyResult, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import { type Column, columnsOf } from '../section/model/columns.ts';
import { listed } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { runtimeSpec, sizeRanges, timedSizes } from './texts.ts';

export function folkloreTexts({ folklore, standings }: SweepReport): string[] {
  if (folklore === null) return [];
  const tried = standings.filter(({ strategy }) => strategy === folklore.strategy);
  if (tried.length === 0) return [];
  const severalChannels = new Set(tried.map(({ channel }) => channel)).size > 1;
  const holds = tried.every(({ faster, slower }) => faster.length > 0 && slower.length === 0);
  const fails = tried.some(
    ({ faster, slower, undecided }) => slower.length > 0 || faster.length + undecided.length === 0,
  );
  const verdict = fails ? 'It does not hold' : holds ? 'It holds' : null;
  const held = verdict === null ? 'Whether it holds is undecided:' : `${verdict} on every runtime tried:`;
  return [
    `Rule of thumb: "${folklore.says}" (${folklore.source}). ${held}`,
    ...tried.map((result) => runtimeText(result, severalChannels)),
  ];
}

type PlacedResult = Pick<StrategyResult, 'runtime' | 'channel'>;

function runtimeText(result: StrategyResult, namesChannel: boolean): string {
  const { unit, faster, slower, undecided } = result;
  const all = timedSizes(result);
  const parts = Object.entries({ wins: faster, loses: slower, 'is undecided': undecided })
    .filter(([, sizes]) => sizes.length > 0)
    .map(([what, sizes]) => `${what} ${sizeRanges(sizes, all)}`);
  const text = parts.join(', ') || 'makes no relevant difference';
  return `${placeText(result, namesChannel)}: ${withUnit(text, unit)}`;
}

const placeText = ({ runtime, channel }: PlacedResult, namesChannel: boolean): string =>
  `${runtimeSpec(runtime)}${namesChannel ? ` over ${channel}` : ''}`;

const withUnit = (text: string, unit: string): string => (/\d$/.test(text) ? `${text} ${unit}` : text);

/**
 * A runtime over a channel, what was fastest in its older relative, and the sizes at which each strategy is fastest now. Only
 * runtimes for which something was published.
 */
function winners({ folklore, standings, points }: SweepReport) {
  const severalChannels = new Set(standings.map(({ channel }) => channel)).size > 1;
  const runs = groupedBy(standings, ({ runtime, channel }) => JSON.stringify([runtime, channel]));
  return [...runs.values()].flatMap((results) => {
    const [first] = results as [StrategyResult];
    const { runtime, unit } = first;
    const published = folklore?.won?.find((one) => one.runtime === runtime.name);
    if (!published) return [];
    const isHere = (one: SweepPoint) => placeText(one, true) === placeText(first, true);
    const now = [...fastestBySize(results, points.filter(isHere))]
      .filter(([strategy]) => strategy !== UNDECIDED)
      .map(([strategy, text]) => ({ strategy, sizes: withUnit(text, unit) }));
    return [{ where: placeText(first, severalChannels), published, now }];
  });
}

const UNDECIDED = 'undecided';

function fastestBySize(results: readonly StrategyResult[], points: readonly SweepPoint[]) {
  const sizes = [...new Set(results.flatMap(timedSizes))].sort((a, b) => a - b);
  const won = groupedBy(sizes, (size) => fastestAt(size, results, points) ?? UNDECIDED);
  return new Map([...won].map(([strategy, at]) => [strategy, sizeRanges(at, sizes)]));
}

export function fastestTexts(results: readonly StrategyResult[], points: readonly SweepPoint[]): string[] {
  const won = [...fastestBySize(results, points)].map(([strategy, sizes]) => `${strategy} ${sizes}`);
  return won.length === 0 ? [] : [`Fastest: ${won.join('; ')}.`];
}

/** The best of those that are faster than raw, and those about as fast; raw where none is; null where that is not decided. */
function fastestAt(size: number, results: readonly StrategyResult[], points: readonly SweepPoint[]) {
  const faster = results.filter((one) => one.faster.includes(size)).map(({ strategy }) => strategy);
  if (faster.length === 0) return results.some(({ undecided }) => undecided.includes(size)) ? null : RAW;
  const timed = points.filter((one) => one.size === size && faster.includes(one.strategy));
  const median = ({ roundTrip }: SweepPoint) => roundTrip?.median ?? Number.POSITIVE_INFINITY;
  const [fastest, ...others] = timed.sort((a, b) => median(a) - median(b));
  if (fastest === undefined) return null;
  const alike = others.filter((other) => !isSlower(other, fastest));
  return [fastest, ...alike].map(({ strategy }) => strategy).join(OR);
}

const OR = ' or ';

const isAmong = (winner: { strategy: string }, strategy: string): boolean =>
  winner.strategy.split(OR).includes(strategy);

/** By the shares of the time of raw; of a report that has none, by the times. */
function isSlower(one: SweepPoint, fastest: SweepPoint): boolean {
  const [slow, fast] =
    one.ratio && fastest.ratio ? [one.ratio, fastest.ratio] : [one.roundTrip, fastest.roundTrip];
  return slow !== null && fast !== null && differenceOf(fast, slow) === 'higher';
}

export function winnerColumns(report: SweepReport): Column[] | null {
  const rows = winners(report);
  if (rows.length === 0) return null;
  return columnsOf(rows, [
    { head: 'runtime', cell: ({ where }) => where },
    { head: 'published', cell: ({ published: { strategy, on } }) => `${strategy} (${on})` },
    {
      head: 'fastest here',
      cell: ({ now }) => listed(now.map(({ strategy, sizes }) => `${strategy} ${sizes}`)) || 'undecided',
    },
  ]);
}

export function changeSentence(report: SweepReport): string {
  const rows = winners(report);
  const decided = rows.filter(({ now }) => now.length > 0);
  const isAsPublished = ({ now, published }: (typeof rows)[number]) =>
    now.every((winner) => isAmong(winner, published.strategy));
  const [same, changed] = [decided.filter(isAsPublished), decided.filter((one) => !isAsPublished(one))];
  const parts = changed.map(({ where, now, published: { strategy, on } }) => {
    const others = now.filter((winner) => !isAmong(winner, strategy));
    const fastest = listed(others.map((winner) => `${winner.strategy} wins ${winner.sizes}`));
    return `${strategy} won in ${on}, and in ${where} ${fastest}`;
  });
  const undecided = rows.filter(({ now }) => now.length === 0).map(({ where }) => where);
  return [
    ...(parts.length > 0 ? [`What has changed: ${parts.join('; ')}.`] : []),
    ...(same.length > 0 ? [`As published: ${listed(same.map(({ where }) => where))}.`] : []),
    ...(undecided.length > 0 ? [`Not decided on ${listed(undecided)}: raise --budget.`] : []),
  ].join(' ');
}
