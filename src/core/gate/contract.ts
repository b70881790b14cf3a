/** What a gate demanded before and demands now: a change may add to it; what it takes away is told. */
import type { Demand, Demands } from '../../model/documents/baseline.ts';
import type { BaseCommit, LimitResult, Unchecked } from '../../model/documents/check.ts';
import { LIMIT_LEVELS, LIMITS, type Limit } from '../../model/gate/limits.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import { comesFrom, nameOf, unmatched } from './unmatched.ts';

/** What was demanded and is not any more; `to` is null where it is gone. */
interface Loosening {
  payload: string;
  what: string;
  from: string;
  to: string | null;
}

export type IsMoved = (from: string, to: string) => boolean;

/**
 * All that `now` demands less than `before`.
 *
 * @param config what stands for all payloads together
 * @param isMoved whether a file of before stands, unchanged, at another place now
 */
export function loosenings(
  config: string,
  before: Demands,
  now: Demands,
  isMoved: IsMoved = () => false,
): Loosening[] {
  const all = before.payloads.flatMap((demand) => {
    const payload = demand.name;
    const found = now.payloads.filter(({ name }) => name === demand.name);
    if (found.length === 0) return [{ payload, what: 'payload', from: demand.file, to: null }];
    return entryLoosenings(demand, found, isMoved).map((one) => ({ payload, ...one }));
  });
  const distinct = new Map(all.map((one) => [JSON.stringify(one), one])).values();
  return [...termLoosenings(before, now).map((one) => ({ payload: config, ...one })), ...distinct];
}

/** What the config says of all payloads together. */
function termLoosenings(was: Demands, is: Demands): Change[] {
  return [
    ...(was.new === 'error' && is.new === 'ok' ? [{ what: 'new', from: was.new, to: is.new }] : []),
    ...(was.undecided === 'error' && is.undecided === 'warn'
      ? [{ what: 'undecided', from: was.undecided, to: is.undecided }]
      : []),
  ];
}

type Change = Omit<Loosening, 'payload'>;

/** On each runtime and channel of before, an entry of now must demand as much. */
function entryLoosenings(before: Demand, found: readonly Demand[], isMoved: IsMoved): Change[] {
  return before.runtimes.flatMap((runtime) => {
    const there = found.filter((one) => one.runtimes.includes(runtime));
    if (there.length === 0) return [{ what: 'runtimes', from: runtime, to: null }];
    return before.channels.flatMap((channel) => {
      const covering = there.filter((one) => one.channels.includes(channel));
      if (covering.length === 0) return [{ what: 'channels', from: channel, to: null }];
      const each = covering.map((one) => settingLoosenings(before, one, isMoved));
      return each.reduce((least, one) => (one.length < least.length ? one : least));
    });
  });
}

/** They say which value is posted, and how: another one may hide behind each. */
const CHOOSING = ['export', 'as', 'via', 'sender'] as const;

function settingLoosenings(was: Demand, is: Demand, isMoved: IsMoved): Change[] {
  const isSameInput = was.file === is.file || isMoved(was.file, is.file);
  const listed = is.transfer.filter((path) => !was.transfer.includes(path));
  return [
    ...(isSameInput ? [] : [{ what: 'input', from: was.file, to: is.file }]),
    ...CHOOSING.filter((key) => (was[key] ?? null) !== (is[key] ?? null)).map((key) => ({
      ...{ what: key, from: was[key] ?? 'none', to: is[key] ?? 'none' },
    })),
    // What is moved does not count as copied.
    ...listed.map((path) => ({ what: 'transfer', from: `without ${path}`, to: `with ${path}` })),
    ...was.remedies
      .filter((name) => !is.remedies.includes(name))
      .map((name) => ({ what: 'remedies', from: name, to: null })),
    ...(was.codec === undefined || was.codec === is.codec
      ? []
      : [{ what: 'codec', from: was.codec, to: is.codec ?? null }]),
    ...LIMITS.filter((name) => isLooser(was.limits[name], is.limits[name])).map((name) => ({
      ...{ what: name, from: limitText(was.limits[name]), to: limitText(is.limits[name]) },
    })),
  ];
}

/** The strictest first. */
const rankOf = (limit: Limit | undefined) => LIMIT_LEVELS.indexOf(limit?.level ?? 'off');

/** Limits of two kinds ("64 kB", "+10%") cannot be compared: the new one may allow anything. */
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

/** Requirements that a change of the config makes looser. */
export interface Contract {
  loosened: readonly Loosening[];
  /** The config of now, for annotations. */
  file: string | null;
}

/** A result that fails for each. */
export function contractResults(contract: Contract, base: BaseCommit | undefined): LimitResult[] {
  return contract.loosened.map(({ payload, what, from, to }) => {
    const subject = what === 'config' ? '' : `${what}: `;
    const reason = `${subject}${from} in ${nameOf(base)}, ${to === null ? 'gone' : `now ${to}`}`;
    const said = {
      ...({ payload, runtime: '', channel: '', limit: 'config', level: 'error' } as const),
      file: contract.file,
      written: `as in ${nameOf(base)}`,
      reason,
    };
    return { ...unmatched(said, [], base), loosened: { what, from, to } };
  });
}

/** Facts that are gone with no payload that the contract names: `new: "ok"` lets exports and files of a glob go. */
export function untoldBy({ loosened }: Contract, unchecked: readonly Unchecked[]): Unchecked[] {
  const gone = loosened.flatMap(({ what, payload }) => (what === 'payload' ? payload : []));
  const isNamed = (id: string) => gone.some((name) => comesFrom(id, name) || comesFrom(id, `${name}/`));
  return unchecked.filter(({ payload }) => !isNamed(payload));
}
