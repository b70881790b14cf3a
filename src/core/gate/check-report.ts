import { CHECK_SCHEMA } from '../../model/document-ids.ts';
import type { CheckReport, Comparison, LimitResult, Shard, Unchecked } from '../../model/documents/check.ts';
import { ToolError } from '../../model/errors.ts';
import { CHECKED } from '../../model/gate/limits.ts';
import { byCodeUnit } from './baseline.ts';
import { withRemovals } from './unmatched.ts';

type Placed = Pick<Comparison, 'payload' | 'runtime' | 'channel'>;

const byPlace = (a: Placed, b: Placed) =>
  byCodeUnit(a.payload, b.payload) || byCodeUnit(a.runtime, b.runtime) || byCodeUnit(a.channel, b.channel);

const byJson = (a: unknown, b: unknown) => byCodeUnit(JSON.stringify(a), JSON.stringify(b));

/** The same order, whatever machine, shard or order the results came from. */
const inReportOrder = (a: LimitResult, b: LimitResult): number =>
  byPlace(a, b) ||
  CHECKED.indexOf(a.limit) - CHECKED.indexOf(b.limit) ||
  byCodeUnit(a.path ?? '', b.path ?? '') ||
  byCodeUnit(a.rule ?? '', b.rule ?? '') ||
  byJson(a, b);

/** What could not be measured or decided is not kept. */
const failsCheck = ({ level, outcome }: LimitResult) => level === 'error' && outcome !== 'passed';

/** Equal entries of several shards are listed once. */
const distinct = <T>(sorted: readonly T[]): T[] =>
  sorted.filter((one, i) => i === 0 || JSON.stringify(one) !== JSON.stringify(sorted[i - 1]));

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
    ...(part.base ? { base: part.base } : {}),
    ...(part.compared ? { compared: distinct([...part.compared].sort(byPlace)) } : {}),
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
  if (failing.some(({ outcome }) => outcome !== 'not-measured' && outcome !== 'unsure')) return 'failed';
  if (report.failures.some(({ code }) => isUsage(code))) return 'unreadable';
  return failing.length + report.failures.length > 0 ? 'unmeasured' : 'ok';
}

/** The entries of one shard. Dealt round-robin: shards are even, and each entry is in one. */
export const shardOf = <T>(entries: readonly T[], { index, count }: Shard): T[] =>
  entries.filter((_, i) => i % count === index - 1);

type NamedReport = { file: string; report: CheckReport };

/**
 * The same as the report of the unsharded run.
 *
 * @param parts at least one
 * @param expected hash of the config that they must be of; null: any
 * @throws ToolError 'shards-unfit' unless each shard of one check is there once
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
    results: reports.flatMap(({ results }) => results),
    failures: reports.flatMap(({ failures }) => failures),
    unchecked: uncheckedByAll(reports),
  });
}

/** What must be equal in all parts, in the order in which a reader would look. */
const COMMON: { what: string; of: (report: CheckReport) => unknown }[] = [
  { what: 'number of shards', of: ({ shard }) => shard?.count ?? 1 },
  { what: 'version of clone-prof', of: ({ tool }) => tool.version },
  { what: 'config or selection of payloads', of: ({ inputs }) => inputs.config },
  { what: 'baseline', of: ({ inputs }) => inputs.baseline },
  { what: 'file of the baseline', of: ({ inputs }) => inputs.baselineFile },
  { what: 'commit of --base', of: ({ base }) => base?.commit },
];

/** null when the parts are all shards of one check. */
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

/** Payloads are dealt in turns: where a later shard has one, each before it has. */
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

/** Two files of one name would be one payload, each in another shard. */
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

/** What no shard compared. One that could not load its payload speaks for all. */
function uncheckedByAll(reports: readonly CheckReport[]): Unchecked[] {
  const byKey = new Map<string, Unchecked[]>();
  for (const one of reports.flatMap(({ unchecked }) => unchecked)) {
    const key = JSON.stringify([one.payload, one.runtime]);
    byKey.set(key, [...(byKey.get(key) ?? []), one]);
  }
  return [...byKey.values()]
    .filter((all) => all.length === reports.length)
    .map((all) => all.find(({ selected }) => !selected) ?? (all[0] as Unchecked));
}
