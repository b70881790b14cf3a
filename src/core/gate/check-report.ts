import { CHECK_SCHEMA } from '../../model/document-ids.ts';
import type { CheckReport, Comparison, LimitResult, Shard } from '../../model/documents/check.ts';
import { CHECKED } from '../../model/gate/check.ts';
import { byCodeUnit } from './text-order.ts';
import { withRemovals } from './unmatched.ts';

/** The same order, whatever machine, shard or order the results came from. */
function inReportOrder(a: LimitResult, b: LimitResult): number {
  return (
    byCodeUnit(a.payload, b.payload) ||
    byCodeUnit(a.runtime, b.runtime) ||
    byCodeUnit(a.channel, b.channel) ||
    CHECKED.indexOf(a.limit) - CHECKED.indexOf(b.limit) ||
    byCodeUnit(a.path ?? '', b.path ?? '') ||
    byCodeUnit(a.rule ?? '', b.rule ?? '') ||
    byCodeUnit(JSON.stringify(a), JSON.stringify(b))
  );
}

/** What could not be measured or decided is not kept. */
const failsCheck = ({ level, outcome }: LimitResult) => level === 'error' && outcome !== 'passed';

const isUnknown = ({ outcome }: LimitResult) => outcome === 'not-measured' || outcome === 'unsure';

/** Equal entries of several shards are listed once. */
function distinct<T>(sorted: readonly T[]): T[] {
  return sorted.filter((one, i) => i === 0 || JSON.stringify(one) !== JSON.stringify(sorted[i - 1]));
}

const byPlace = (a: Comparison, b: Comparison) =>
  byCodeUnit(a.payload, b.payload) || byCodeUnit(a.runtime, b.runtime) || byCodeUnit(a.channel, b.channel);

const byJson = (a: unknown, b: unknown) => byCodeUnit(JSON.stringify(a), JSON.stringify(b));

/**
 * The report of what was checked. Facts of the baseline that nothing was compared with become results; a shard leaves
 * them to the merge, which alone sees whether another one checked them.
 */
export function checkReport(part: Omit<CheckReport, 'schema' | 'passed'>): CheckReport {
  const { tool, shard, inputs, unchecked } = part;
  // With --base each shard knows both sides of its own payloads.
  const isWhole = shard === null && !part.base;
  const found = isWhole ? withRemovals(part.results, unchecked, { file: inputs.baselineFile }) : part.results;
  const results = distinct([...found].sort(inReportOrder));
  const failures = distinct(
    [...part.failures].sort((a, b) => byCodeUnit(a.payload, b.payload) || byCodeUnit(a.message, b.message)),
  );
  return {
    schema: CHECK_SCHEMA,
    tool,
    passed: failures.length === 0 && !results.some(failsCheck),
    shard,
    inputs,
    ...(part.base ? { base: part.base, compared: distinct([...(part.compared ?? [])].sort(byPlace)) } : {}),
    results,
    failures,
    unchecked: unchecked.filter(({ selected }) => shard !== null || !selected).sort(byJson),
  };
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
  if (failing.some((result) => !isUnknown(result))) return 'failed';
  if (report.failures.some(({ code }) => isUsage(code))) return 'unreadable';
  return failing.length + report.failures.length > 0 ? 'unmeasured' : 'ok';
}

/** The entries of one shard. Dealt round-robin: shards are even, and each entry is in one. */
export function shardOf<T>(entries: readonly T[], { index, count }: Shard): T[] {
  return entries.filter((_, i) => i % count === index - 1);
}
