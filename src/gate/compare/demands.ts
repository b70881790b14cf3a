/** The demands on a change: what was demanded before it, and what it makes stricter. */
import type { Demands, Limit } from '../../model/documents/baseline.ts';
import type { BaseCommit, PendingChange } from '../../model/documents/check.ts';
import { LIMIT_LEVELS, LIMITS } from '../../model/gate/limits.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import { type CheckEntry, entryName } from '../../model/run/check-config.ts';
import { nameOf, unmatched } from './check-report.ts';

/** The demands of a config. Paths of its entries start from one folder for both sides, so that they can be compared. */
export interface Demanded extends Pick<Demands, 'new' | 'undecided'> {
  entries: readonly CheckEntry[];
}

/** Demanded payloads that are gone. An empty runtime or channel stands for all. */
export interface Gone extends Record<'payload' | 'runtime' | 'channel' | 'reason', string> {
  /** Name of it in `removed` of a config; absent for what cannot be named there. */
  removed?: string;
}

/** @param isThere true for a file, or a glob with a match, of the current checkout */
export function heldDemands(
  config: string,
  before: Demanded,
  now: Demanded,
  isThere: (file: string) => boolean,
) {
  const formers = formersOf(before.entries, now.entries);
  const policies = {
    new: before.new === 'error' ? before.new : now.new,
    undecided: before.undecided === 'error' ? before.undecided : now.undecided,
  };
  /** The demands on each current entry, and the former entry that it comes from; undefined for a new one. */
  const payloads = now.entries.map((is, at) => {
    const former = formers[at];
    return { is, former, entry: former ? stricterOf(former, is, isThere) : is };
  });
  const places = before.entries.flatMap((was) => placesGone(was, now.entries[formers.indexOf(was)]));
  const files = payloads.flatMap(({ is, former }) => (former ? lostFiles(former, is, isThere) : []));
  /** Changes of the current config that do not hold yet. */
  const pending = [
    ...changesOf(config, POLICIES, policies, now),
    ...payloads.flatMap(({ is, entry }) => [
      ...changesOf(entryName(is), SETTINGS, entry, is),
      ...changesOf(entryName(is), LIMITS, entry.limits, is.limits),
    ]),
  ];
  return { ...policies, payloads, pending, gone: [...places, ...files] };
}

/** By these an entry is found again, the surest first. The last is for a file that moved. */
const SAME: readonly ((was: CheckEntry, is: CheckEntry) => boolean)[] = [
  (was, is) => was.input === is.input && was.export === is.export,
  (was, is) => was.input === is.input,
  () => true,
];

/** Former entry of each current one, which has the same name. Entries of several exports of a file may share a name. */
function formersOf(before: readonly CheckEntry[], now: readonly CheckEntry[]): (CheckEntry | undefined)[] {
  const left = new Set(before);
  const formers = new Map<CheckEntry, CheckEntry>();
  for (const isSame of SAME)
    for (const is of now.filter((one) => !formers.has(one))) {
      const former = [...left].find((was) => entryName(was) === entryName(is) && isSame(was, is));
      if (former === undefined) continue;
      formers.set(is, former);
      left.delete(former);
    }
  return now.map((is) => formers.get(is));
}

/** The former entry in all that chooses and posts the value; of each limit the stricter one, of lists what both say. */
function stricterOf(was: CheckEntry, is: CheckEntry, isThere: (file: string) => boolean): CheckEntry {
  const { sender: _, gain, codec: own, ...others } = is;
  // A payload that moved is read at its new place.
  const { input, export: only, as } = isThere(was.input) ? was : is;
  const codec = was.codec !== undefined && isThere(was.codec) ? was.codec : own;
  const limits = LIMITS.map((name) => {
    const [old, current] = [was.limits[name], is.limits[name]];
    return [name, isLooser(old, current) ? old : current] as const;
  });
  return {
    ...{ ...others, input, export: only, as, via: was.via },
    transfer: is.transfer.filter((path) => was.transfer.includes(path)),
    remedies: [...new Set([...is.remedies, ...was.remedies.filter(isThere)])],
    ...(was.sender && { sender: was.sender }),
    ...(codec && { codec }),
    ...(was.gain && gain && { gain }),
    limits: Object.fromEntries(limits.filter(([, limit]) => limit !== undefined)),
  };
}

const POLICIES = ['new', 'undecided'] as const;
const SETTINGS = ['input', 'export', 'as', 'via', 'sender', 'transfer', 'remedies', 'codec', 'gain'] as const;

function changesOf<const Name extends string>(
  payload: string,
  names: readonly Name[],
  held: { [name in Name]?: Value },
  is: { [name in Name]?: Value },
): Omit<PendingChange, 'file'>[] {
  return names
    .map((what) => ({ payload, what, from: settingText(held[what]), to: settingText(is[what]) }))
    .filter(({ from, to }) => from !== to);
}

type Value = string | string[] | Limit | null | undefined;

function settingText(setting: Value): string {
  if (typeof setting === 'string') return setting;
  if (Array.isArray(setting)) return setting.length === 0 ? 'none' : [...new Set(setting)].sort().join(', ');
  return setting ? limitText(setting) : 'none';
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

function limitText({ level, value, against, text }: Limit): string {
  const shown = value === true ? (against ?? '') : text;
  if (level === 'off' || shown === '') return level;
  return level === 'error' ? shown : `${level} ${shown}`;
}

/** The payload, or its runtimes and channels, that the current config does not name. */
function placesGone(was: CheckEntry, is: CheckEntry | undefined): Gone[] {
  const payload = entryName(was);
  const place = { payload, runtime: '', channel: '', reason: ', and no longer checked' };
  if (is === undefined) {
    const source = was.export === null ? was.input : `${was.input}#${was.export}`;
    return [{ ...place, reason: ` as ${source}${place.reason}`, removed: payload }];
  }
  const runtimes = was.runtimes.filter((runtime) => !is.runtimes.includes(runtime));
  const channels = was.channels.filter((channel) => !is.channels.includes(channel));
  return [
    ...runtimes.map((runtime) => ({ ...place, runtime, removed: `${payload} on ${runtime}` })),
    ...channels.map((channel) => ({ ...place, channel, removed: `${payload} over ${channel}` })),
  ];
}

/** Rewrites and codecs whose files are gone, unless the config names others in their place. */
function lostFiles(was: CheckEntry, is: CheckEntry, isThere: (file: string) => boolean): Gone[] {
  const others = is.remedies.filter((one) => !was.remedies.includes(one)).length;
  const isLost = (file: string) => !is.remedies.includes(file) && !isThere(file);
  const codecs = is.codec === undefined && was.codec !== undefined ? [was.codec] : [];
  const files = [...was.remedies.filter(isLost).slice(others), ...codecs.filter((file) => !isThere(file))];
  const place = { payload: entryName(was), runtime: '', channel: '' };
  return files.map((file) => ({ ...place, reason: ` with ${file}, which is gone` }));
}

export const goneResults = (gone: readonly Gone[], base: BaseCommit | undefined, file: string | null) =>
  gone.map(({ reason, removed, ...place }) => {
    const said = { limit: 'config', level: 'error', written: `as in ${nameOf(base)}`, file } as const;
    const named = base && removed !== undefined ? { removed } : {};
    return unmatched(base, { ...place, ...said, ...named, reason: `in ${nameOf(base)}${reason}` });
  });
