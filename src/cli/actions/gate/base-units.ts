/** Which entries of the config another commit is asked for. */
import { basename, extname, join } from 'node:path';
import type { CheckUnit, GateRequest } from '../../../app/gate/gather.ts';
import type { Shard } from '../../../model/documents/check.ts';
import { ToolError } from '../../../model/errors.ts';
import type { CheckConfig, CheckEntry } from '../../../model/gate/check.ts';
import { bundleConfig } from '../../../sources/bundle.ts';
import { readConfig } from '../../../store/config/config.ts';
import type { Session } from '../../session/session.ts';

/**
 * The entries of the commit's own config, which is only read to see what is no longer checked: its limits are not used.
 * None where it had no config, or one that cannot be read any more; then a note says so.
 */
export async function configBefore(
  { file }: CheckConfig,
  folder: string,
  { progress, workdir }: Session,
): Promise<CheckEntry[]> {
  if (file === null) return [];
  const named = join(folder, basename(file));
  const compile = (source: string) => bundleConfig(source, join(workdir, 'config-before'), folder);
  const onRun = () => progress.listen({ type: 'note', text: `running ${file} of the other commit` });
  try {
    return (await readConfig(folder, { file: named, root: folder, compile, onRun })).entries;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (error.code === 'file-missing') return [];
    const text = `entries that are gone from the config cannot be seen: it was not readable: ${error.message}`;
    progress.listen({ type: 'warning', text });
    return [];
  }
}

const entryName = ({ id, input }: CheckEntry) => id ?? basename(input, extname(input));

export interface UnitsOfNow {
  config: CheckConfig;
  request: GateRequest;
  shard: Shard | null;
  /** All payloads of the config were asked for. */
  isWhole: boolean;
}

/** Entries that the config of now does not have any more. */
export function goneEntries(
  { config, isWhole }: Pick<UnitsOfNow, 'config' | 'isWhole'>,
  before: readonly CheckEntry[],
): CheckEntry[] {
  const names = new Set(config.entries.map(entryName));
  return isWhole ? before.filter((entry) => !names.has(entryName(entry))) : [];
}

/** The units of now, each with the file that its id had before. */
export function unitsBefore(units: readonly CheckUnit[], before: readonly CheckEntry[]): CheckUnit[] {
  const twins = new Map<CheckEntry, CheckEntry>();
  for (const { entry } of units) if (!twins.has(entry)) twins.set(entry, twinOf(entry, before));
  return units.map((unit) => ({ ...unit, entry: twins.get(unit.entry) ?? unit.entry }));
}

function twinOf(entry: CheckEntry, before: readonly CheckEntry[]): CheckEntry {
  const same = before.find(({ id }) => id !== null && id === entry.id);
  return same ? { ...entry, input: same.input, export: same.export, as: same.as } : { ...entry };
}
