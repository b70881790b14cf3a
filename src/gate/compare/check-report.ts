import type { Baseline } from '../../model/documents/baseline.ts';
import type {
  BaseCommit,
  CheckFailure,
  CheckReport,
  Comparison,
  LimitResult,
  Shard,
  Unchecked,
} from '../../model/documents/check.ts';
import { ToolError } from '../../model/errors.ts';
import { CHECKED, type LimitLevel } from '../../model/gate/limits.ts';
import { CHANNELS, CHECK_SCHEMA } from '../../model/names.ts';
import { groupedBy } from '../../model/sums.ts';
import { byCodeUnit } from './baseline.ts';

type Placed = Pick<Comparison, 'payload' | 'runtime' | 'channel'>;

const byPlace = (a: Placed, b: Placed) =>
  byCodeUnit(a.payload, b.payload) || byCodeUnit(a.runtime, b.runtime) || byCodeUnit(a.channel, b.channel);

const byJson = (a: unknown, b: unknown) => byCodeUnit(JSON.stringify(a), JSON.stringify(b));

/** Order of the results in a report. It does not depend on the machine, the shard or the order of checking. */
const inReportOrder = (a: LimitResult, b: LimitResult): number =>
  byPlace(a, b) ||
  CHECKED.indexOf(a.limit) - CHECKED.indexOf(b.limit) ||
  byCodeUnit(a.path ?? '', b.path ?? '') ||
  byCodeUnit(a.rule ?? '', b.rule ?? '') ||
  byJson(a, b);

/** True if a result fails the check. A limit that could not be measured or decided counts as not kept. */
const failsCheck = ({ level, outcome }: LimitResult) => level === 'error' && outcome !== 'passed';

/** Equal entries of several shards are listed once. */
const distinct = <T>(sorted: readonly T[]): T[] =>
  sorted.filter((one, i) => i === 0 || JSON.stringify(one) !== JSON.stringify(sorted[i - 1]));

/**
 * Makes the report of a check. Facts of the baseline that nothing was compared with become results. A shard leaves them
 * to the merge, because only the merge knows if a different shard checked them.
 */
export function checkReport(part: Omit<CheckReport, 'schema' | 'passed'>): CheckReport {
  const { tool, shard, inputs, unchecked } = part;
  // Each shard of a check with --base knows both sides of its payloads.
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
    ...(part.base ? { base: part.base } : {}),
    ...(part.compared ? { compared: distinct([...part.compared].sort(byPlace)) } : {}),
    ...(part.pending?.length ? { pending: distinct([...part.pending].sort(byJson)) } : {}),
    results,
    failures,
    unchecked: unchecked.filter(({ selected }) => shard !== null || !selected).sort(byJson),
  };
}

/**
 * ok, failed (a limit is broken), unreadable (wrong input of the user) or unmeasured (a limit could not be checked).
 * A broken limit comes first.
 *
 * @param isUsage true for an error code that is about the user's input
 */
export function checkStatus(
  report: CheckReport,
  isUsage: (code: string) => boolean = () => false,
): 'ok' | 'failed' | 'unreadable' | 'unmeasured' {
  const failing = report.results.filter(failsCheck);
  if (failing.some(({ outcome }) => outcome !== 'not-measured' && outcome !== 'unsure')) return 'failed';
  if (report.failures.some(({ code }) => isUsage(code))) return 'unreadable';
  return failing.length + report.failures.length > 0 ? 'unmeasured' : 'ok';
}

/** Entries of one shard. They are dealt round-robin, so that shards are even and each entry is in exactly one shard. */
export const shardOf = <T>(entries: readonly T[], { index, count }: Shard): T[] =>
  entries.filter((_, i) => i % count === index - 1);

type NamedReport = { file: string; report: CheckReport };

/**
 * Merges reports of shards into the report that an unsharded run gives.
 *
 * @param expected hash of the config that all parts must have; null: any hash
 * @throws ToolError 'shards-unfit' unless the parts are all shards of one check, each exactly once
 */
export function mergeChecks(parts: readonly NamedReport[], expected: string | null = null): CheckReport {
  const [first] = parts as [NamedReport];
  const isOther = expected !== null && first.report.inputs.config !== expected;
  const unfit = isOther ? `${first.file} is not of the config of --expect` : reasonAgainst(first, parts);
  if (unfit !== null) throw new ToolError('shards-unfit', { detail: unfit });
  const reports = parts.map(({ report }) => report);
  return checkReport({
    tool: first.report.tool,
    shard: null,
    inputs: first.report.inputs,
    ...(first.report.base ? { base: first.report.base } : {}),
    ...(first.report.compared ? { compared: reports.flatMap(({ compared }) => compared ?? []) } : {}),
    pending: reports.flatMap(({ pending }) => pending ?? []),
    results: reports.flatMap(({ results }) => results),
    failures: reports.flatMap(({ failures }) => failures),
    unchecked: uncheckedByAll(reports),
  });
}

/** What must be equal in all parts. The first difference in this order is reported. */
const commonOf = ({ shard, tool, inputs, base }: CheckReport) => ({
  'number of shards': shard?.count ?? 1,
  'version of clone-prof': tool.version,
  'config or selection of payloads': inputs.config,
  baseline: inputs.baseline,
  'file of the baseline': inputs.baselineFile,
  'commit of --base': base?.commit,
});

/** Reason why the parts cannot be merged; null if they are all shards of one check. */
function reasonAgainst(first: NamedReport, parts: readonly NamedReport[]): string | null {
  for (const [what, common] of Object.entries(commonOf(first.report))) {
    const other = parts.find(({ report }) => new Map(Object.entries(commonOf(report))).get(what) !== common);
    if (other) return `${first.file} and ${other.file} differ in the ${what}`;
  }
  const count = first.report.shard?.count ?? 1;
  const inOrder = parts
    .map(({ file, report }) => ({ file, report, index: report.shard?.index ?? 1 }))
    .sort((a, b) => a.index - b.index);
  if (inOrder.length !== count || inOrder.some(({ index }, at) => index !== at + 1))
    return `of the shards 1 to ${count} these are given: ${inOrder.map(({ index }) => index).join(', ')}`;
  // Payloads are dealt round-robin: if a shard has results, each earlier shard must have results too.
  const isEmpty = ({ report }: NamedReport) => report.results.length + report.failures.length === 0;
  const last = inOrder.findLastIndex((one) => !isEmpty(one));
  if (last < 0) return 'none of them has results';
  const empty = inOrder.slice(0, last).find(isEmpty);
  return empty ? `${empty.file} has no results, and shard ${last + 1} has` : sharedName(parts);
}

/** Files with the same payload name would collide when shards are merged. */
function sharedName(parts: readonly NamedReport[]): string | null {
  const files = new Map<string, string>();
  for (const { payload, file } of parts.flatMap(({ report }) => report.results)) {
    if (file === null) continue;
    const other = files.get(payload);
    if (other !== undefined && other !== file)
      return `'${other}' and '${file}' are both called '${payload}'. Give each payload an "id" of its own`;
    files.set(payload, file);
  }
  return null;
}

/** Facts that no shard compared. An entry that is not `selected` is preferred: its shard could not load the payload. */
function uncheckedByAll(reports: readonly CheckReport[]): Unchecked[] {
  const all = reports.flatMap(({ unchecked }) => unchecked);
  return [...groupedBy(all, ({ payload, runtime }) => JSON.stringify([payload, runtime])).values()]
    .filter((all) => all.length === reports.length)
    .map((all) => all.find(({ selected }) => !selected) ?? (all[0] as Unchecked));
}

/** True if `id` is the input `name`, or an export or a group of lines of it. Ids below "name/" are files of a glob. */
export const comesFrom = (id: string, name: string) =>
  id === name || id.startsWith(name.endsWith('/') ? name : `${name}#`);

/**
 * Facts of the baseline that nothing was compared with. Facts of an input that could not be loaded are not `selected`,
 * because its failure is reported already.
 *
 * @param seen payloads and runtimes, by their names in the baseline
 * @param selected names of the requested inputs; null: all inputs
 */
export function uncheckedOf(
  baseline: Baseline | null,
  seen: readonly { id: string; key: string }[],
  failures: readonly CheckFailure[],
  selected: readonly string[] | null,
): Unchecked[] {
  const keys = new Set(seen.map(({ id, key }) => JSON.stringify([id, key])));
  const isFailed = (id: string) => failures.some(({ payload }) => comesFrom(id, payload));
  const isSelected = (id: string) => selected === null || selected.some((name) => comesFrom(id, name));
  return Object.entries(baseline?.payloads ?? {}).flatMap(([payload, { runtimes }]) =>
    Object.keys(runtimes)
      .filter((runtime) => !keys.has(JSON.stringify([payload, runtime])))
      .map((runtime) => ({ payload, runtime, selected: isSelected(payload) && !isFailed(payload) })),
  );
}

const NOTHING = {
  ...{ expected: null, actual: null, was: null, change: null, path: null, example: null, rule: null },
  line: null,
} as const;

type Unmatched = Pick<LimitResult, 'payload' | 'runtime' | 'channel' | 'level' | 'written' | 'file'>;

export const unmatched = (
  base: BaseCommit | undefined,
  { payload, runtime, channel, level, written, file, ...more }: Unmatched & Partial<LimitResult>,
): LimitResult => ({
  ...{ payload, runtime, channel, limit: 'baseline', level, outcome: 'unmatched', written },
  ...{ against: base ? 'base' : 'baseline', ...NOTHING, file },
  ...more,
});

export const nameOf = (base: BaseCommit | undefined): string => base?.ref ?? 'the baseline';

/** Results of what the config says it has removed only warn, if the command of the workflow allows that. */
export const withRemoved = (
  results: readonly LimitResult[],
  names: readonly string[],
  isAllowed: boolean,
): LimitResult[] =>
  results.map((result) => {
    if (result.removed === undefined || !names.includes(result.removed)) return result;
    const reason = `${result.reason}, as "removed" of the config says`;
    return { ...result, level: isAllowed ? 'warn' : result.level, reason };
  });

/**
 * Adds a result for each selected fact of the baseline that was not checked.
 *
 * @param terms `file`: path of the baseline, or of the config for a commit, for annotations
 */
export const withRemovals = (
  results: readonly LimitResult[],
  unchecked: readonly Unchecked[],
  { file, base, level = 'error' }: { file: string | null; base?: BaseCommit; level?: LimitLevel },
): LimitResult[] => [
  ...results,
  ...unchecked
    .filter(({ selected }) => selected)
    .map(({ payload, runtime: key }) => {
      const channel = CHANNELS.find((name) => key.endsWith(` ${name}`)) ?? 'worker';
      const runtime = channel === 'worker' ? key : key.slice(0, -channel.length - 1);
      return unmatched(base, {
        ...{ payload, runtime, channel, file, level, written: 'checked' },
        reason: `in ${nameOf(base)}, and no longer checked`,
        ...(base && { removed: payload }),
      });
    }),
];
