/** Payloads and baseline must match: a payload that is only on one side is reported and fails. */
import type { Baseline, BaselineFacts } from '../../model/documents/baseline.ts';
import type { BaseCommit, CheckFailure, LimitResult, Unchecked } from '../../model/documents/check.ts';
import type { LimitLevel } from '../../model/gate/limits.ts';
import { CHANNELS } from '../../model/names.ts';
import { factsIn } from './baseline.ts';

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
  { names, isAllowed }: { names: readonly string[]; isAllowed: boolean },
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
 * @param terms `file`: path of the baseline, for annotations; null for a commit
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
