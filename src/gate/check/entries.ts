/** Entries of a config that a request asks for, and their paths from another folder. */
import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isInside } from '../../machine/folders.ts';
import type { Demand, Demands } from '../../model/documents/baseline.ts';
import { guessText, usage } from '../../model/errors.ts';
import { SERIALIZER_NAMES } from '../../model/names.ts';
import { type CheckConfig, type CheckEntry, entryName } from '../../model/run/check-config.ts';

interface EntriesQuery {
  /** Names or files; empty: all of the config. */
  payloads: readonly string[];
  /** Empty: those of each entry. */
  runtimes?: string[] | undefined;
}

/** @throws ToolError 'usage' for a mistyped name, and if there is no payload */
export function askedEntries(
  config: CheckConfig,
  { payloads, runtimes }: EntriesQuery,
  cwd: string,
): CheckEntry[] {
  const chosen = chosenEntries(payloads, config, cwd);
  for (const name of payloads) refuseMistyped(name, config, cwd);
  return onRuntimes(chosen, runtimes);
}

/**
 * Entries that another commit has for the query; their paths start from `root`. A named file that neither its config nor
 * the commit has is new. @param top folder of the commit's files
 */
export function entriesBefore(
  before: CheckConfig,
  { payloads, runtimes }: EntriesQuery,
  { cwd, root, top }: { cwd: string; root: string; top: string },
): CheckEntry[] {
  const { entries: all, folder } = before;
  const isKnown = (entry: CheckEntry) => all.includes(entry) || existsSync(resolve(folder, entry.input));
  const chosen = payloads.length === 0 ? all : chosenEntries(payloads, before, cwd).filter(isKnown);
  return placedEntries(onRuntimes(chosen, runtimes), before, root, top);
}

/**
 * A word without an ending is the name of a payload rather than of a file. It is refused before anything is written: a
 * baseline would demand it as a payload from then on.
 */
function refuseMistyped(name: string, { entries }: CheckConfig, cwd: string): void {
  const names = entries.map(entryName);
  if (names.includes(name) || !/^[\w-]+$/.test(name) || existsSync(resolve(cwd, name))) return;
  const meant = guessText(name, names);
  if (meant !== '') throw usage(`'${name}' is neither a payload of the config nor a file.${meant}`);
}

const onRuntimes = (entries: CheckEntry[], runtimes: string[] = []): CheckEntry[] =>
  entries.map((entry) => (runtimes.length === 0 ? entry : { ...entry, runtimes }));

/** Entries by name or file; a file without an entry gets the common limits, runtimes and channels. */
function chosenEntries(payloads: readonly string[], config: CheckConfig, cwd: string): CheckEntry[] {
  if (payloads.length === 0) {
    if (config.entries.length > 0) return config.entries;
    const detail = config.file
      ? `${config.file} names no payloads. Add one: "payloads": ["fixtures/rows.json"]`
      : 'no config here, and no payload named. Write one: npx clone-prof check --init';
    throw usage(detail);
  }
  return payloads.flatMap((name) => {
    const file = resolve(cwd, name);
    const entries = config.entries.filter(
      (entry) => name === entryName(entry) || resolve(config.folder, entry.input) === file,
    );
    return entries.length > 0 ? entries : [{ ...config.common, input: relative(config.folder, file) }];
  });
}

export const isPackage = (word: string) => SERIALIZER_NAMES.some((name) => name === word);

/** Entries of a config whose paths start from `root`. @param top absolute paths out of it do not change */
export function placedEntries(
  entries: readonly CheckEntry[],
  { folder }: Pick<CheckConfig, 'folder'>,
  root: string,
  top = root,
): CheckEntry[] {
  const placed = (path: string) =>
    isPackage(path) || (isAbsolute(path) && !isInside(path, top))
      ? path
      : relative(root, resolve(folder, path)).replaceAll(sep, '/');
  return entries.map((entry) => ({
    ...entry,
    input: placed(entry.input),
    remedies: entry.remedies.map(placed),
    ...(entry.codec && { codec: placed(entry.codec) }),
  }));
}

/** Demands that a baseline keeps of the config. The demands of payloads that were not requested do not change. */
export function demandsNow(config: CheckConfig, asked: readonly CheckEntry[], old?: Demands): Demands {
  const names = new Set(asked.map(entryName));
  const own = config.entries.filter((entry) => names.has(entryName(entry)));
  const others = asked.filter((one) => own.every((entry) => entryName(entry) !== entryName(one)));
  const isWhole = own.length === config.entries.length;
  const kept = isWhole ? [] : (old?.payloads ?? []).filter((one) => !names.has(entryName(one)));
  const payloads = placedEntries([...own, ...others], config, config.folder).map(demandOf);
  return { new: config.new, undecided: config.undecided, payloads: [...kept, ...payloads] };
}

function demandOf({ type: _, limits, ...entry }: CheckEntry): Demand {
  const withoutPresets = Object.entries(limits).map(([name, { preset: _, ...limit }]) => [name, limit]);
  return { ...entry, limits: Object.fromEntries(withoutPresets) };
}
