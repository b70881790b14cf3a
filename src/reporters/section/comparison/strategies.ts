/** Sweeps against the first of them: a row for each strategy, and for those that changed its shares at each size. */
import type {
  ComparedCrossover,
  ComparedReport,
  ComparedShare,
  ComparedSize,
  StrategyComparison,
} from '../../../model/documents/comparison.ts';
import type { RatioEstimate } from '../../../model/documents/measurement.ts';
import type { ShareChange } from '../../../model/vocabulary/comparison.ts';
import { count, ratioInterval, ratio as ratioText } from '../../text/numbers.ts';
import { type Column, columnsOf } from '../model/columns.ts';
import type { ChangedRun } from '../model/model.ts';
import { code, muted, sentence } from '../model/sentence.ts';
import { CHANGE_TEXTS } from './shares.ts';
import { fromTo, sideName } from './sides.ts';

export const strategyColumns = (
  strategies: readonly StrategyComparison[],
  reports: readonly ComparedReport[],
): Column[] =>
  columnsOf(strategies, [
    { head: 'payload', cell: ({ payload }) => code(payload), rank: 3 },
    { head: 'runtime', cell: placeText },
    { head: 'strategy', cell: ({ strategy }) => code(strategy) },
    { head: 'in', cell: ({ report }) => (reports.length > 2 ? sideName(report, reports) : '') },
    { head: '', cell: ({ changed }) => (changed ? { text: 'changed', tone: 'fair' } : muted('same')) },
    { head: 'as raw at', cell: (one) => one.crossovers.map(crossoverText).join(', '), rank: 2 },
    { head: 'takes less', cell: ({ shares }) => changeText(shares, 'lower'), align: 'right', rank: 1 },
    { head: 'takes more', cell: ({ shares }) => changeText(shares, 'higher'), align: 'right', rank: 0 },
  ]);

/** "node 20.20.2 → 24.21.0 over ipc" */
function placeText({ runtime, channel }: StrategyComparison): string {
  const over = channel === 'worker' ? '' : ` over ${channel}`;
  return `${runtime.name} ${fromTo(runtime.before, runtime.now)}${over}`;
}

/** "at 2 of 5 sizes" */
function changeText(shares: readonly ComparedShare[], change: ShareChange): string {
  const seen = shares.filter((share) => share.change === change).length;
  return seen === 0 ? '' : `at ${seen} of ${shares.length} sizes`;
}

const sizeText = (one: ComparedSize | null): string =>
  one === null ? '' : `${ratioText(one.size)} (${one.ci.map(ratioText).join('–')})`;

const crossoverText = ({ before, now }: ComparedCrossover): string => fromTo(sizeText(before), sizeText(now));

/** A strategy that is not what it was. */
export function changedStrategy(one: StrategyComparison, reports: readonly ComparedReport[]): ChangedRun {
  const { payload, strategy, unit, shares, crossovers } = one;
  const file = reports.length > 2 ? sentence` in ${code(reports[one.report]?.file ?? '')}` : [];
  const share = (estimate: RatioEstimate) => `${ratioText(estimate.ratio)} (${ratioInterval(estimate)})`;
  const columns = columnsOf(shares, [
    { head: unit, cell: ({ size }) => count(size), align: 'right' },
    { head: 'before', cell: ({ before }) => share(before), align: 'right' },
    { head: 'now', cell: ({ now }) => share(now), align: 'right' },
    { head: '', cell: ({ change }) => CHANGE_TEXTS[change] },
  ]);
  const crossing = crossovers.map((crossover) => [`At ${crossoverText(crossover)} ${unit}.`]);
  return {
    title: sentence`${code(strategy)} for ${code(payload)} on ${placeText(one)}${file}`,
    statements: crossing.length === 0 ? [] : [{ label: 'as raw', sentences: crossing }],
    shares: shares.length === 0 ? null : { title: 'Time as a share of raw in the same run', columns },
  };
}
