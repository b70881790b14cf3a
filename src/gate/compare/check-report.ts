import type { Baseline, BaselineFacts } from '../../model/documents/baseline.ts';
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
import { byCodeUnit, factsIn } from './baseline.ts';

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
 * @param parts at least one report
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

/** Properties that must be equal in all parts. The first difference in this order is reported. */
const COMMON: { what: string; of: (report: CheckReport) => unknown }[] = [
  { what: 'number of shards', of: ({ shard }) => shard?.count ?? 1 },
  { what: 'version of clone-prof', of: ({ tool }) => tool.version },
  { what: 'config or selection of payloads', of: ({ inputs }) => inputs.config },
  { what: 'baseline', of: ({ inputs }) => inputs.baseline },
  { what: 'file of the baseline', of: ({ inputs }) => inputs.baselineFile },
  { what: 'commit of --base', of: ({ base }) => base?.commit },
];

/** Reason why the parts cannot be merged; null if they are all shards of one check. */
function reasonAgainst(first: NamedReport, parts: readonly NamedReport[]): string | null {
  for (const { what, of } of COMMON) {
    const other = parts.find(({ report }) => of(report) !== of(first.report));
    if (other) return `${first.file} and ${other.file} differ in the ${what}`;
  }
  const count = first.report.shard?.count ?? 1;
  const owners = new Map<number, string>();
  for (const { file, report } of parts) {
    const index = report.shard?.index ?? 1;
    const twin = owners.get(index);
    if (index > count) return `${file} says it is shard ${index} of ${count}`;
    if (twin !== undefined) return `${twin} and ${file} are both shard ${index} of ${count}`;
    owners.set(index, file);
  }
  return gapIn(owners, count) ?? emptyPart(parts) ?? sharedName(parts);
}

/** Payloads are dealt round-robin: if a shard has results, each earlier shard must have results too. */
function emptyPart(parts: readonly NamedReport[]): string | null {
  const indexOf = ({ report }: NamedReport) => report.shard?.index ?? 1;
  const isEmpty = ({ report }: NamedReport) => report.results.length + report.failures.length === 0;
  const filled = parts.filter((one) => !isEmpty(one));
  if (filled.length === 0) return 'none of them has results';
  const last = Math.max(...filled.map(indexOf));
  const empty = parts.find((one) => isEmpty(one) && indexOf(one) < last);
  return empty === undefined ? null : `${empty.file} has no results, and shard ${last} has`;
}

function gapIn(owners: ReadonlyMap<number, string>, count: number): string | null {
  if (owners.size === count) return null;
  let missing = 1;
  while (owners.has(missing)) missing++;
  const more = count - owners.size - 1;
  return `shard ${missing} of ${count} is missing${more > 0 ? `, and ${more} more` : ''}`;
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

/** Result for a payload that is only on one side, so that it cannot be compared. */
export function unmatched(
  where: Pick<LimitResult, 'payload' | 'runtime' | 'channel' | 'level' | 'written' | 'file' | 'reason'> &
    Partial<Pick<LimitResult, 'limit'>>,
  alike: readonly string[],
  base: BaseCommit | undefined,
): LimitResult {
  const { payload, runtime, channel, limit = 'baseline', level, written, file, reason } = where;
  const against = base ? 'base' : 'baseline';
  return {
    ...{ payload, runtime, channel, limit, level, outcome: 'unmatched', written, against },
    ...{ expected: null, actual: null, was: null, change: null, path: null, example: null, rule: null },
    ...{ file, line: null },
    ...(reason !== undefined && { reason }),
    ...(alike.length > 0 && { alike: [...new Set(alike)] }),
  };
}

/** Name of the other side in the texts of results. */
export const nameOf = (base: BaseCommit | undefined): string => base?.ref ?? 'the baseline';

/** Names of unchecked payloads with these facts: a new payload may be a renamed old payload. */
export const alikeIn = (
  baseline: Baseline | null,
  unchecked: readonly Unchecked[],
  key: string,
  facts: BaselineFacts,
): string[] =>
  unchecked
    .filter(({ runtime, selected }) => runtime === key && selected)
    .map(({ payload }) => payload)
    .filter((name) => JSON.stringify(factsIn(baseline, name, key)) === JSON.stringify(facts));

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

type RemovalTerms = { file: string | null; base?: BaseCommit; level?: LimitLevel };

/**
 * Adds a result for each selected fact of the baseline that was not checked. A new payload with equal facts may be the
 * same payload, renamed: both results name each other.
 *
 * @param terms `file`: path of the baseline, or of the config for a commit, for annotations
 */
export function withRemovals(
  results: readonly LimitResult[],
  unchecked: readonly Unchecked[],
  terms: RemovalTerms,
): LimitResult[] {
  const removed = unchecked.filter(({ selected }) => selected);
  // A report that was made from all parts has its removals already.
  const before = results.filter(({ outcome }) => outcome === 'unmatched');
  const names = new Set([...removed, ...before].map(({ payload }) => payload));
  const added = results.map(({ alike, ...result }): LimitResult => {
    const still = alike?.filter((name) => names.has(name)) ?? [];
    return still.length === 0 ? result : { ...result, alike: still };
  });
  return [...added, ...removed.map((one) => unmatchedRemoval(one, added, terms))];
}

function unmatchedRemoval(
  { payload, runtime: key }: Unchecked,
  added: readonly LimitResult[],
  { file, base, level = 'error' }: RemovalTerms,
): LimitResult {
  const alike = added.filter((one) => one.alike?.includes(payload)).map((one) => one.payload);
  const channel = CHANNELS.find((name) => key.endsWith(` ${name}`)) ?? 'worker';
  const runtime = channel === 'worker' ? key : key.slice(0, -channel.length - 1);
  const said = { level, written: 'checked', reason: `in ${nameOf(base)}, and no longer checked` };
  return {
    ...unmatched({ payload, runtime, channel, file, ...said }, alike, base),
    ...(base && { removed: payload }),
  };
}
