import {
  CHECK_SCHEMA,
  type CheckFailure,
  type CheckReport,
  LIMITS,
  type LimitResult,
} from '../../model/check.ts';

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Stable, whatever machine, shard or order the results came from. */
function byPlace(a: LimitResult, b: LimitResult): number {
  return (
    order(a.payload, b.payload) ||
    order(a.runtime, b.runtime) ||
    order(a.channel, b.channel) ||
    LIMITS.indexOf(a.limit) - LIMITS.indexOf(b.limit) ||
    order(a.path ?? '', b.path ?? '') ||
    order(a.rule ?? '', b.rule ?? '') ||
    order(JSON.stringify(a), JSON.stringify(b))
  );
}

/** What could not be measured never passes silently; what is unsure only warns. */
export const failsCheck = ({ level, outcome }: LimitResult) =>
  level === 'error' && (outcome === 'failed' || outcome === 'not-measured');

/** What more shards than one say of the same thing is said once. */
function distinct<T>(sorted: readonly T[]): T[] {
  return sorted.filter((one, i) => i === 0 || JSON.stringify(one) !== JSON.stringify(sorted[i - 1]));
}

export function checkReport(
  results: readonly LimitResult[],
  failures: readonly CheckFailure[] = [],
): CheckReport {
  const sorted = distinct([...results].sort(byPlace));
  const failed = distinct(
    [...failures].sort((a, b) => order(a.payload, b.payload) || order(a.message, b.message)),
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
 * ok, failed (a limit is broken), unreadable (the user's input) or unmeasured (a limit could not be looked at). A
 * broken limit weighs most. `isUsage` tells which error codes are the user's to mend.
 */
export function checkStatus(
  report: CheckReport,
  isUsage: (code: string) => boolean = () => false,
): 'ok' | 'failed' | 'unreadable' | 'unmeasured' {
  const broken = report.results.filter(failsCheck);
  if (broken.some(({ outcome }) => outcome === 'failed')) return 'failed';
  if (report.failures.some(({ code }) => isUsage(code))) return 'unreadable';
  return broken.length + report.failures.length > 0 ? 'unmeasured' : 'ok';
}

/**
 * Which entries a shard takes, "2/4" being `index` 1 of 4. Dealt out like cards, so that shards are even and every
 * entry is in exactly one.
 */
export function shardOf<T>(entries: readonly T[], index: number, count: number): T[] {
  return entries.filter((_, i) => i % count === index);
}
