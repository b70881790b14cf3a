/** Which entries of the config another commit is asked for. */
import { existsSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import type { CheckUnit, GateRequest } from '../../../app/gate/gather.ts';
import type { Shard } from '../../../model/documents/check.ts';
import { ToolError } from '../../../model/errors.ts';
import type { CheckConfig, CheckEntry } from '../../../model/gate/check.ts';
import { bundleConfig } from '../../../sources/bundle.ts';
import { readConfig } from '../../../store/config/config.ts';
import type { Session } from '../../session/session.ts';

/** The config of the other commit; a text instead where it cannot be read. */
export type ConfigBefore = CheckConfig | string;

export interface PlaceBefore {
  /** What stands for the working folder. */
  cwd: string;
  /** What stands for the root of the project. */
  root: string;
  /** What stands for the one that the user named. */
  named: string | null;
}

/**
 * Found as that of now is, by its name or as the nearest one: a change may have renamed or moved it. Without a file, a
 * config without payloads and with the common limits.
 */
export async function configBefore(
  { cwd, root, named }: PlaceBefore,
  { progress, workdir }: Session,
): Promise<ConfigBefore> {
  const compile = (source: string) => bundleConfig(source, join(workdir, 'config-before'), cwd);
  const onRun = (file: string) =>
    progress.listen({ type: 'note', text: `running ${relative(root, file)} of the other commit` });
  const read = (file: string | null) => readConfig(cwd, { file, root, compile, onRun });
  try {
    return await read(named === null || !existsSync(named) ? null : named);
  } catch (error) {
    if (error instanceof ToolError) return error.message.replaceAll(`${root}/`, '');
    throw error;
  }
}

export const entryName = ({ id, input }: Pick<CheckEntry, 'id' | 'input'>) =>
  id ?? basename(input, extname(input));

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
