import { CHECK_SCHEMA, type CheckReport, LIMITS, type LimitResult } from '../../model/check.ts';

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Stable, whatever machine, shard or order the results came from. */
function byPlace(a: LimitResult, b: LimitResult): number {
  return (
    order(a.payload, b.payload) ||
    order(a.runtime, b.runtime) ||
    order(a.channel, b.channel) ||
    LIMITS.indexOf(a.limit) - LIMITS.indexOf(b.limit) ||
    order(a.path ?? '', b.path ?? '') ||
    order(a.rule ?? '', b.rule ?? '')
  );
}

/** What could not be measured never passes silently; what is unsure only warns. */
const breaks = ({ level, outcome }: LimitResult) =>
  level === 'error' && (outcome === 'failed' || outcome === 'not-measured');

export function checkReport(results: readonly LimitResult[]): CheckReport {
  const sorted = [...results].sort(byPlace);
  return { schema: CHECK_SCHEMA, passed: !sorted.some(breaks), results: sorted };
}

/** The reports of shards as one; the same as the report of the unsharded run. */
export function mergeChecks(reports: readonly CheckReport[]): CheckReport {
  return checkReport(reports.flatMap(({ results }) => results));
}

/** ok, failed (a limit is broken) or unmeasured (a limit could not be looked at). A broken limit weighs more. */
export function answerOf(report: CheckReport): 'ok' | 'failed' | 'unmeasured' {
  const broken = report.results.filter(breaks);
  if (broken.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return broken.length > 0 ? 'unmeasured' : 'ok';
}

/**
 * Which entries a shard takes, "2/4" being `index` 1 of 4. Dealt out like cards, so that shards are even and every
 * entry is in exactly one.
 */
export function shardOf<T>(entries: readonly T[], index: number, count: number): T[] {
  return entries.filter((_, i) => i % count === index);
}
