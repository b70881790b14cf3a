/** What the config of the other commit demands, and the config of now does not. */
import { join, relative, resolve } from 'node:path';
import {
  type Contract,
  type Demand,
  type Loosening,
  loosenings,
  termLoosenings,
} from '../../../core/gate/contract.ts';
import type { CheckConfig, CheckEntry } from '../../../model/gate/check.ts';
import { isSameContent } from './base-files.ts';
import { type ConfigBefore, entryName } from './base-units.ts';
import { hashOf } from './gate-inputs.ts';

/** A config, the entries of it that were asked for, and what its paths start from. */
export interface Side {
  config: CheckConfig;
  entries: readonly CheckEntry[];
  /** Stands for the root of the repository. */
  root: string;
}

export async function contractOf(
  now: Side,
  before: Side | Extract<ConfigBefore, string>,
  accepted: string | null,
): Promise<Contract> {
  const file = now.config.file ?? 'config';
  const loosened =
    typeof before === 'string'
      ? [{ payload: file, what: 'config', from: `unreadable (${before})`, to: 'readable' }]
      : [...termLoosenings(file, before.config, now.config), ...(await entriesLoosened(now, before))];
  const hash = hashOf(JSON.stringify(loosened));
  const hashes = [accepted, ...(typeof before === 'string' ? [] : before.config.accept)];
  return { loosened, hash, isAccepted: hashes.includes(hash), file: now.config.file };
}

async function entriesLoosened(now: Side, before: Side): Promise<Loosening[]> {
  const [were, are] = [before, now].map(demandsOf) as [Demand[], Demand[]];
  const moved = new Set<string>();
  for (const { name, file } of were)
    for (const one of are.filter((other) => other.name === name && other.file !== file)) {
      const isSame = await isSameContent(join(now.root, one.file), join(before.root, file));
      if (isSame) moved.add(JSON.stringify([file, one.file]));
    }
  return loosenings(were, are, (...pair) => moved.has(JSON.stringify(pair)));
}

const demandsOf = ({ config, entries, root }: Side): Demand[] =>
  entries.map((entry) => ({
    name: entryName(entry),
    file: relative(root, resolve(config.folder, entry.input)).replaceAll('\\', '/'),
    entry,
  }));
