/** The result of a sweep, in a sentence for each runtime. */

import { carries } from '../../core/evidence.ts';
import type { StrategyResult, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import { sentenceCase } from '../section/model/sentence.ts';
import { time } from '../text/numbers.ts';
import { groupSeries, runtimeSpec, seriesKey, sizeWithUnit, strategyNames, timedSizes } from './texts.ts';

export function verdictTexts(report: SweepReport): string[] {
  const series = groupSeries(report.points);
  return series.flatMap((own) => {
    const [first] = own as [SweepPoint];
    const text = verdictOf(own, report);
    if (text === null) return [];
    return [series.length === 1 ? text : `${runtimeSpec(first.runtime)}, ${first.channel}: ${text}`];
  });
}

/** Null if only the object was timed. */
function verdictOf(own: readonly SweepPoint[], { standings, crossovers }: SweepReport): string | null {
  const [first] = own as [SweepPoint];
  const isHere = (one: Parameters<typeof seriesKey>[0]) => seriesKey(one) === seriesKey(first);
  const results = standings.filter(isHere);
  if (results.length === 0) return null;
  const largest = Math.max(...results.flatMap(timedSizes));
  const best = fastestAt(largest, results, own);
  if (best === null) return undecidedText(own, results, largest);
  const crossed = crossovers.filter((one) => isHere(one) && one.between.includes(best.strategy));
  const from = crossed.find(({ cheaper }) => cheaper.below === RAW);
  const where = from === undefined ? '' : `From ${sizeWithUnit(Math.round(from.size), from.unit)} on `;
  const name = where === '' ? sentenceCase(best.strategy) : best.strategy;
  const below = from === undefined ? '' : ' Below, post the object.';
  const simple = simplerText(best.strategy, largest, results, own);
  return `${where}${name} is faster: ${best.effect}.${below}${simple}`;
}

const roundTripAt = (own: readonly SweepPoint[], size: number, strategy: string): number | null =>
  own.find((one) => one.size === size && one.strategy === strategy)?.roundTrip?.median ?? null;

/** The fastest of the strategies that are proven to be faster at this size: "5.0x at 1,000 items (99.8 µs instead of 1.01 ms)". */
function fastestAt(size: number, results: readonly StrategyResult[], own: readonly SweepPoint[]) {
  const raw = roundTripAt(own, size, RAW);
  const timed = results
    .filter(({ faster }) => faster.includes(size))
    .flatMap(({ strategy }) => {
      const median = roundTripAt(own, size, strategy);
      return median === null ? [] : [{ strategy, median }];
    })
    .sort((a, b) => a.median - b.median);
  const [best] = timed;
  if (best === undefined || raw === null) return null;
  return { strategy: best.strategy, effect: effectText(best.median, raw, own, size) };
}

const effectText = (median: number, raw: number, own: readonly SweepPoint[], size: number): string =>
  `${timesText(raw / median)} at ${sizeWithUnit(size, own[0]!.unit)} (${time(median)} instead of ${time(raw)})`;

const timesText = (times: number): string => `${times < 10 ? times.toFixed(1) : Math.round(times)}x`;

const SIMPLE = 'json-text';

/** A sentence about JSON text, if it is faster too but not the fastest. */
function simplerText(
  best: string,
  size: number,
  results: readonly StrategyResult[],
  own: readonly SweepPoint[],
): string {
  const isFaster = results.some(({ strategy, faster }) => strategy === SIMPLE && faster.includes(size));
  const [median, raw] = [roundTripAt(own, size, SIMPLE), roundTripAt(own, size, RAW)];
  if (best === SIMPLE || !isFaster || median === null || raw === null) return '';
  return ` ${SIMPLE}, which is simpler, is ${timesText(raw / median)} as fast there.`;
}

/** A smaller factor may be noise. */
const MANY_TIMES = 2;

function undecidedText(own: readonly SweepPoint[], results: readonly StrategyResult[], size: number): string {
  const open = results.filter(({ undecided }) => undecided.includes(size));
  const raw = own.find((one) => one.size === size && one.strategy === RAW)?.roundTrip ?? null;
  const seen = open
    .flatMap(({ strategy }) => own.filter((one) => one.size === size && one.strategy === strategy))
    .flatMap(({ strategy, roundTrip }) =>
      roundTrip === null || raw === null ? [] : [{ strategy, roundTrip, raw }],
    )
    .sort((a, b) => a.roundTrip.median - b.roundTrip.median);
  const [best] = seen;
  const times = best === undefined ? 0 : best.raw.median / best.roundTrip.median;
  if (best !== undefined && times >= MANY_TIMES) {
    const few = carries(best.roundTrip, 'size') ? '' : ', by few messages';
    return `Not decided, but ${best.strategy} took ${time(best.roundTrip.median)} instead of ${time(best.raw.median)} at ${sizeWithUnit(size, own[0]!.unit)}${few}: measure longer with -b.`;
  }
  if (open.length > 0)
    return 'Not decided: the intervals are too wide. Measure longer with -b, on a quiet machine.';
  const names = strategyNames(own).filter((name) => name !== RAW);
  return `Post the object: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not faster at ${sizeWithUnit(size, own[0]!.unit)}.`;
}
