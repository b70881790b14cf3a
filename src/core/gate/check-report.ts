import {
  CHECK_SCHEMA,
  type CheckFailure,
  type CheckReport,
  LIMITS,
  type LimitResult,
} from '../../model/check.ts';
import { byCodeUnit } from './text-order.ts';

/** The same order, whatever machine, shard or order the results came from. */
function inReportOrder(a: LimitResult, b: LimitResult): number {
  return (
    byCodeUnit(a.payload, b.payload) ||
    byCodeUnit(a.runtime, b.runtime) ||
    byCodeUnit(a.channel, b.channel) ||
    LIMITS.indexOf(a.limit) - LIMITS.indexOf(b.limit) ||
    byCodeUnit(a.path ?? '', b.path ?? '') ||
    byCodeUnit(a.rule ?? '', b.rule ?? '') ||
    byCodeUnit(JSON.stringify(a), JSON.stringify(b))
  );
}

/** A limit that could not be measured fails; an unsure one only warns. */
const failsCheck = ({ level, outcome }: LimitResult) =>
  level === 'error' && (outcome === 'failed' || outcome === 'not-measured');

/** Equal entries of several shards are listed once. */
function distinct<T>(sorted: readonly T[]): T[] {
  return sorted.filter((one, i) => i === 0 || JSON.stringify(one) !== JSON.stringify(sorted[i - 1]));
}

export function checkReport(
  results: readonly LimitResult[],
  failures: readonly CheckFailure[] = [],
): CheckReport {
  const sorted = distinct([...results].sort(inReportOrder));
  const failed = distinct(
    [...failures].sort((a, b) => byCodeUnit(a.payload, b.payload) || byCodeUnit(a.message, b.message)),
  );
  const passed = failed.length === 0 && !sorted.some(failsCheck);
  return { schema: CHECK_SCHEMA, passed, results: sorted, failures: failed };
}

/** The reports of shards as one; the same as the report of the unsharded run. */
export function mergeChecks(reports: readonly CheckReport[]): CheckReport {
  return checkReport(
    reports.flatMap(({ results }) => results),
    reports.flatMap(({ failures }) => failures),
  );
}

/**
 * ok, failed (a limit is broken), unreadable (an error of the user's input) or unmeasured (a limit could not be checked).
 * A broken limit comes first.
 *
 * @param isUsage whether an error code is about what the user wrote
 */
export function checkStatus(
  report: CheckReport,
  isUsage: (code: string) => boolean = () => false,
): 'ok' | 'failed' | 'unreadable' | 'unmeasured' {
  const failing = report.results.filter(failsCheck);
  if (failing.some(({ outcome }) => outcome === 'failed')) return 'failed';
  if (report.failures.some(({ code }) => isUsage(code))) return 'unreadable';
  return failing.length + report.failures.length > 0 ? 'unmeasured' : 'ok';
}

/** The entries of one shard; "2/4" is `index` 1 of 4. Dealt round-robin: shards are even, and each entry is in one. */
export function shardOf<T>(entries: readonly T[], index: number, count: number): T[] {
  return entries.filter((_, i) => i % count === index);
}
