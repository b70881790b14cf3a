/** The results of a check: their order, their causes and their sum. */
import type { CheckReport, LimitResult } from '../../../model/documents/check.ts';
import type { LimitOutcome } from '../../../model/gate/limits.ts';
import { groupedBy } from '../../text/grouped.ts';
import { counted } from '../../text/numbers.ts';
import { factText } from './limits.ts';

export type Severity = 'error' | 'warning';

export function severityOf({ level, outcome }: LimitResult): Severity | null {
  if (outcome === 'passed') return null;
  return level === 'error' ? 'error' : 'warning';
}

/** Results that did not pass: errors, then warnings. */
export function problemsOf(results: readonly LimitResult[]): LimitResult[] {
  const of = (severity: Severity) => results.filter((result) => severityOf(result) === severity);
  return [...of('error'), ...of('warning')];
}

export type Place = Pick<LimitResult, 'payload' | 'runtime' | 'channel'>;

/** "bun@1.4.5 over ipc-json" */
export const targetOf = ({ runtime, channel }: Pick<Place, 'runtime' | 'channel'>): string =>
  channel === 'worker' || runtime === '' ? runtime : `${runtime} over ${channel}`;

/** "rows on bun@1.4.5 over ipc-json" */
export const placeOf = (place: Place): string =>
  place.runtime === '' ? place.payload : `${place.payload} on ${targetOf(place)}`;

export const resultsByPlace = (results: readonly LimitResult[]): Map<string, LimitResult[]> =>
  groupedBy(results, placeOf);

/**
 * Problems grouped by cause. Problems of one payload and runtime share a cause if their paths (without indices) or
 * their reasons are equal: a missing runtime leaves every limit unmeasured. All misfits of a codec are one cause too.
 */
export const causesOf = (problems: readonly LimitResult[]): LimitResult[][] => [
  ...groupedBy(problems, (result) => JSON.stringify([placeOf(result), ...causeKey(result)])).values(),
];

export const withoutIndices = (path: string): string => path.replace(/\[\d+\]/g, '[*]');

function causeKey({ limit, written, path, outcome, varies, reason = varies }: LimitResult): string[] {
  if (path === null && reason !== undefined) return ['reason', outcome, reason];
  if (limit === 'codec') return ['codec', written];
  return path === null ? ['limit', limit] : ['path', withoutIndices(path)];
}

/** Findings of one cause, each with all limits that share the finding. */
export const effectsOf = (group: readonly LimitResult[]) =>
  [...groupedBy(group, factText)].map(([fact, results]) => ({ fact, results }));

export function summaryText(report: CheckReport): string {
  const { shard, unchecked } = report;
  const part = shard === null ? '' : `Shard ${shard.index} of ${shard.count}: `;
  const others = new Set(unchecked.filter(({ selected }) => !selected).map(({ payload }) => payload)).size;
  const rest = others === 0 ? '' : ` Not asked for: ${counted(others, 'payload')} of the baseline.`;
  return `${part}${outcomeText(report)}${rest}`;
}

/** True for a limit. Differences between two sides are counted separately. */
const isLimit = ({ limit }: LimitResult) => limit !== 'baseline' && limit !== 'config';

function outcomeText({ results, failures, base }: CheckReport): string {
  const sides = base ? `${base.ref} and now` : 'baseline and payloads';
  const errors = results.filter((result) => severityOf(result) === 'error');
  const limits = results.filter(isLimit).length;
  const ended = (outcome: LimitOutcome, text: (count: number) => string) => {
    const count = errors.filter((result) => result.outcome === outcome).length;
    return count > 0 ? [text(count)] : [];
  };
  const warnings = results.filter((result) => severityOf(result) === 'warning');
  const warned = warnings.length > 0 ? [counted(warnings.length, 'warning')] : [];
  const parts = [
    ...ended('failed', (broken) => `${broken} of ${counted(limits, 'limit')} broken`),
    ...ended('unmatched', (count) => `${counted(count, 'difference')} between ${sides}`),
    ...ended('not-measured', (count) => `${counted(count, 'limit')} not measured`),
    ...ended('unsure', (count) => `${counted(count, 'limit')} undecided`),
    ...(failures.length > 0 ? [`${counted(failures.length, 'payload')} not loaded`] : []),
    ...warned,
  ];
  if (results.length === 0 && failures.length === 0) return 'Nothing was checked: no limit applies.';
  if (errors.length + failures.length > 0) return `${parts.join(', ')}.`;
  const kept = limits - warnings.filter(isLimit).length;
  return `${[`${counted(kept, 'limit')} kept`, ...warned].join(', ')}.`;
}
