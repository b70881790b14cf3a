/** Compares the former and the current demands of a gate: a change may add demands; removed demands are reported. */
import type { Demand, Demands, Limit } from '../../model/documents/baseline.ts';
import type { BaseCommit, LimitResult, Unchecked } from '../../model/documents/check.ts';
import { LIMIT_LEVELS, LIMITS } from '../../model/gate/limits.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import { comesFrom, nameOf, unmatched } from './check-report.ts';

/** Demand that was dropped or loosened; `to` is null if it was dropped. */
type Change = NonNullable<LimitResult['loosened']>;
type Loosening = Change & { payload: string };

const change = (what: string, from: string, to: string | null): Change => ({ what, from, to });

/**
 * All demands of `before` that `now` drops or loosens.
 *
 * @param config name that stands for all payloads together
 */
export function loosenings(config: string, before: Demands, now: Demands): Loosening[] {
  const terms = (['new', 'undecided'] as const)
    .filter((what) => before[what] === 'error' && now[what] !== 'error')
    .map((what) => ({ payload: config, ...change(what, before[what], now[what]) }));
  const all = before.payloads.flatMap((demand) => {
    const found = now.payloads.filter(({ name }) => name === demand.name);
    const changes =
      found.length === 0 ? [change('payload', demand.file, null)] : entryLoosenings(demand, found);
    return changes.map((one) => ({ payload: demand.name, ...one }));
  });
  return [...terms, ...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** On each former runtime and channel, some current entry must demand no less than the former entry. */
function entryLoosenings(before: Demand, found: readonly Demand[]): Change[] {
  return before.runtimes.flatMap((runtime) => {
    const there = found.filter((one) => one.runtimes.includes(runtime));
    if (there.length === 0) return [change('runtimes', runtime, null)];
    return before.channels.flatMap((channel) => {
      const covering = there.filter((one) => one.channels.includes(channel));
      const each = covering.map((one) => settingLoosenings(before, one));
      const [least = [change('channels', channel, null)]] = each.sort((a, b) => a.length - b.length);
      return least;
    });
  });
}

/** Settings that choose which value is posted, and how: a change may select a different value. */
const CHOOSING = ['export', 'as', 'via', 'sender'] as const;

function settingLoosenings(was: Demand, is: Demand): Change[] {
  const listed = is.transfer.filter((path) => !was.transfer.includes(path));
  const unproven = was.remedies.filter((name) => !is.remedies.includes(name));
  return [
    ...(was.file === is.file ? [] : [change('input', was.file, is.file)]),
    ...CHOOSING.filter((key) => (was[key] ?? null) !== (is[key] ?? null)).map((key) =>
      change(key, was[key] ?? 'none', is[key] ?? 'none'),
    ),
    // Transferred bytes do not count as copied.
    ...listed.map((path) => change('transfer', `without ${path}`, `with ${path}`)),
    ...unproven.map((name) => change('remedies', name, null)),
    ...(was.codec === undefined || was.codec === is.codec
      ? []
      : [change('codec', was.codec, is.codec ?? null)]),
    ...(is.gain === undefined || was.gain === is.gain ? [] : [change('gain', 'none', is.gain)]),
    ...LIMITS.filter((name) => isLooser(was.limits[name], is.limits[name])).map((name) =>
      change(name, limitText(was.limits[name]), limitText(is.limits[name])),
    ),
  ];
}

/** Rank of the level of a limit; 0 is the strictest level. */
const rankOf = (limit: Limit | undefined) => LIMIT_LEVELS.indexOf(limit?.level ?? 'off');

/** True if `is` allows more than `was`, or if their kinds ("64 kB", "+10%") differ and cannot be compared. */
function isLooser(was: Limit | undefined, is: Limit | undefined): boolean {
  if (was === undefined || was.level === 'off') return false;
  if (is === undefined || rankOf(is) > rankOf(was) || is.against !== was.against) return true;
  const sizeOf = ({ value }: Limit): number =>
    value === true ? 0 : typeof value === 'number' ? value : COST_CLASSES.indexOf(value as CostClass);
  return sizeOf(is) > sizeOf(was);
}

function limitText(limit: Limit | undefined): string {
  if (limit === undefined || limit.level === 'off') return 'off';
  const value = limit.value === true ? (limit.against ?? '') : limit.text;
  const level = limit.level === 'error' && value !== '' ? '' : limit.level;
  return [level, value].filter((text) => text !== '').join(' ');
}

export type Contract = readonly Loosening[];

/** Names of what is gone, as `removed` of a config has them. */
const REMOVED: Readonly<Record<string, (payload: string, gone: string) => string>> = {
  payload: (payload) => payload,
  runtimes: (payload, runtime) => `${payload} on ${runtime}`,
  channels: (payload, channel) => `${payload} over ${channel}`,
  baseline: (file) => file,
};

/** One failing result for each loosened demand. @param file the current config, for annotations */
export const contractResults = (
  contract: Contract,
  file: string | null,
  base: BaseCommit | undefined,
): LimitResult[] =>
  contract.map(({ payload, what, from, to }) => {
    const subject = what === 'config' ? '' : `${what}: `;
    const reason = `${subject}${from} in ${nameOf(base)}, ${to === null ? 'gone' : `now ${to}`}`;
    const place = { payload, runtime: '', channel: '', limit: 'config', level: 'error' } as const;
    const said = unmatched({ ...place, file, written: `as in ${nameOf(base)}`, reason }, [], base);
    const removed = to === null ? REMOVED[what]?.(payload, from) : undefined;
    return { ...said, loosened: { what, from, to }, ...(base && removed !== undefined && { removed }) };
  });

/** Unchecked facts of payloads that the contract does not report. `new: "ok"` lets exports and files of a glob go. */
export function untoldBy(contract: Contract, unchecked: readonly Unchecked[]): Unchecked[] {
  const gone = contract.flatMap(({ what, payload }) => (what === 'payload' ? payload : []));
  const isNamed = (id: string) => gone.some((name) => comesFrom(id, name) || comesFrom(id, `${name}/`));
  return unchecked.filter(({ payload }) => !isNamed(payload));
}
