import type { BaseCommit, CheckReport, Comparison, LimitResult } from '../../model/documents/check.ts';
import { EXIT, isUsageCode, ToolError } from '../../model/errors.ts';
import { CHECKED } from '../../model/gate/limits.ts';
import { CHECK_SCHEMA } from '../../model/names.ts';
import { type CheckUnit, entryName } from '../../model/run/check-config.ts';
import { type BaselinePayloads, byCodeUnit, runtimeKey } from './baseline.ts';

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

const distinct = <T>(sorted: readonly T[]): T[] =>
  sorted.filter((one, i) => i === 0 || JSON.stringify(one) !== JSON.stringify(sorted[i - 1]));

export function checkReport(part: Omit<CheckReport, 'schema' | 'passed'>): CheckReport {
  const { tool, shard, inputs } = part;
  const results = distinct([...part.results].sort(inReportOrder));
  const failures = distinct([...part.failures].sort(byJson));
  return {
    schema: CHECK_SCHEMA,
    tool,
    passed: failures.length === 0 && !results.some(failsCheck),
    shard,
    inputs,
    ...(part.base ? { base: part.base } : {}),
    compared: distinct([...(part.compared ?? [])].sort(byPlace)),
    ...(part.pending?.length ? { pending: distinct([...part.pending].sort(byJson)) } : {}),
    results,
    failures,
  };
}

/** A broken limit comes first, then wrong input of the user, then a limit that could not be checked. */
export function exitCodeOf({ results, failures }: CheckReport): number {
  const failing = results.filter(failsCheck);
  if (failing.some(({ outcome }) => outcome !== 'not-measured' && outcome !== 'unsure')) return EXIT.gate;
  if (failures.some(({ code }) => isUsageCode(code))) return EXIT.usage;
  return failing.length + failures.length > 0 ? EXIT.failure : EXIT.ok;
}

export const shardOf = <T>(entries: readonly T[], { index, count }: NonNullable<CheckReport['shard']>): T[] =>
  entries.filter((_, i) => i % count === index - 1);

type NamedReport = { file: string; report: CheckReport };

/** @param expected hash of the config; null: any @throws ToolError 'shards-unfit' unless parts are all of one check */
export function mergeChecks(parts: readonly NamedReport[], expected: string | null = null): CheckReport {
  const [first] = parts as [NamedReport];
  const isOther = expected !== null && first.report.inputs.config !== expected;
  const unfit = isOther ? `${first.file} is not of the config of --expect` : reasonAgainst(first, parts);
  if (unfit !== null) throw new ToolError('shards-unfit', { detail: unfit });
  const reports = parts.map(({ report }) => report);
  return checkReport({
    ...first.report,
    shard: null,
    compared: reports.flatMap(({ compared }) => compared ?? []),
    pending: reports.flatMap(({ pending }) => pending ?? []),
    results: reports.flatMap(({ results }) => results),
    failures: reports.flatMap(({ failures }) => failures),
  });
}

/** Facts that are equal in all parts. The first difference in this order is reported. */
const commonOf = ({ shard, tool, inputs, base }: CheckReport) => ({
  'number of shards': shard?.count ?? 1,
  'version of clone-prof': tool.version,
  'config or selection of payloads': inputs.config,
  baseline: inputs.baseline,
  'file of the baseline': inputs.baselineFile,
  'commit of --base': base?.commit,
});

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
  return empty ? `${empty.file} has no results, and shard ${last + 1} has` : null;
}

/** True if `id` is the input `name`, or an export or a group of lines of it. Ids below "name/" are files of a glob. */
export const comesFrom = (id: string, name: string) =>
  id === name || id.startsWith(name.endsWith('/') ? name : `${name}#`);

type Unmatched = Pick<LimitResult, 'payload' | 'runtime' | 'channel' | 'level' | 'written' | 'file'>;

export const unmatched = (
  base: BaseCommit | undefined,
  { payload, runtime, channel, level, written, file, ...more }: Unmatched & Partial<LimitResult>,
): LimitResult => ({
  ...{ payload, runtime, channel, limit: 'baseline', level, outcome: 'unmatched', written },
  ...{ against: base ? 'base' : 'baseline', expected: null, actual: null, was: null, change: null },
  ...{ path: null, example: null, rule: null, file, line: null },
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
 * Payloads of the other side that their entries no longer give, unless their input could not be loaded. One of another
 * entry does not stand for them, even if it has their name: it may demand less.
 */
export function missingResults(
  { base, facts }: { base?: BaseCommit; facts: BaselinePayloads | null },
  units: readonly CheckUnit[],
  seen: readonly { id: string; key: string; unit: Pick<CheckUnit, 'entry'> }[],
  failures: CheckReport['failures'],
  terms: Pick<LimitResult, 'level' | 'file'>,
): LimitResult[] {
  const keys = new Set(seen.map(({ id, key, unit }) => JSON.stringify([id, key, entryName(unit.entry)])));
  const ids = new Set(seen.map(({ id }) => id));
  return units.flatMap(({ entry, spec, channel }) => {
    const key = runtimeKey(spec, channel);
    const missing = Object.entries(facts ?? {}).flatMap(([id, { entry: name, runtimes }]) => {
      const isKnown = name !== entryName(entry) || !Object.hasOwn(runtimes, key);
      return isKnown || keys.has(JSON.stringify([id, key, name])) ? [] : id;
    });
    return missing
      .filter((id) => !failures.some(({ payload }) => comesFrom(id, payload)))
      .map((payload) =>
        unmatched(base, {
          ...{ payload, runtime: spec, channel, ...terms, written: 'checked' },
          reason: ids.has(payload)
            ? `in ${nameOf(base)} a payload of ${entryName(entry)}, and now of another entry`
            : `in ${nameOf(base)}, and no longer checked`,
          ...(base && { removed: payload }),
        }),
      );
  });
}
