/** What the config demanded before, and does not any more. */
import { existsSync, lstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Contract, loosenings } from '../../core/gate/contract.ts';
import { hashOfFile } from '../../machine/given-file.ts';
import type { Demands } from '../../model/documents/baseline.ts';
import type { CheckConfig, CheckEntry } from '../../model/gate/limits.ts';
import { SERIALIZER_NAMES } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { entryName } from './gate-request.ts';

/** A config, the entries of it that were asked for, and what its paths start from. */
interface Demanding {
  config: CheckConfig;
  entries: readonly CheckEntry[];
  /** Stands for the root of the repository. */
  root: string;
}

/**
 * What the config of now demands less than that of the other commit. A file that stands, unchanged, at another place is the
 * same. @param before a text if that config cannot be read
 */
export async function contractOf(now: Demanding, before: Demanding | string): Promise<Contract> {
  const name = now.config.file ?? 'config';
  if (typeof before === 'string')
    return [{ payload: name, what: 'config', from: `unreadable (${before})`, to: 'readable' }];
  const all = loosenings(name, demandsOf(before), demandsOf(now));
  const areMoved = await Promise.all(
    all.map(
      async ({ what, from, to }) =>
        what === 'input' && to !== null && isSameContent(join(now.root, to), join(before.root, from)),
    ),
  );
  return all.filter((_, i) => !areMoved[i]);
}

/** Rewrites and codecs that are other files than before, or now are links. */
export async function changedRewrites(now: Demanding, before: Demanding): Promise<string[]> {
  const named = demandsOf(now).payloads.flatMap(({ codec = [], remedies }) => [...remedies, codec].flat());
  const files = [...new Set(named)].filter((file) => existsSync(join(before.root, file)));
  const isLink = ({ root }: Demanding, file: string) => lstatSync(join(root, file)).isSymbolicLink();
  const areSame = await Promise.all(
    files.map((file) => isSameContent(join(now.root, file), join(before.root, file))),
  );
  return files.filter((file, at) => !areSame[at] || (isLink(now, file) && !isLink(before, file)));
}

const sha256 = (file: string) => hashOfFile(file, 'sha256', 'hex');

/** Equal bytes, read piece by piece: a payload may be large. False also if one of both is not there. */
async function isSameContent(one: string, other: string): Promise<boolean> {
  try {
    const stats = await Promise.all([one, other].map((file) => stat(file)));
    if (!stats.every((is) => is.isFile() && is.size === stats[0]?.size)) return false;
    return (await sha256(one)) === (await sha256(other));
  } catch {
    return false;
  }
}

/** Are both built of one whole file, with equal bytes? */
export async function isSameFile({ build: now }: Recipe, { build: before }: Recipe): Promise<boolean> {
  if (now.form !== before.form || !('file' in now && 'file' in before)) return false;
  if (now.form === 'module' || now.form === 'ndjson') return false;
  return isSameContent(now.file, before.file);
}

/** What a config demands. Its names do not depend on the folder of the config. */
function demandsOf({ config, entries, root }: Demanding): Demands {
  const placed = (path: string) => relative(root, resolve(config.folder, path)).replaceAll('\\', '/');
  const isPackage = (word: string) => SERIALIZER_NAMES.some((name) => name === word);
  const payloads = entries.map(({ sender, codec, gain, type: _, limits, remedies, ...entry }) => {
    const { export: only, as, runtimes, channels, via, transfer } = entry;
    const plain = Object.entries(limits).map(([name, { preset: _, ...limit }]) => [name, limit]);
    return {
      ...{ name: entryName(entry), file: placed(entry.input), export: only, as, runtimes, channels },
      ...(sender && { sender }),
      ...{ via, transfer, remedies: remedies.map((word) => (isPackage(word) ? word : placed(word))) },
      ...(codec !== undefined && { codec: placed(codec) }),
      ...(gain && { gain }),
      limits: Object.fromEntries(plain),
    };
  });
  return { new: config.new, undecided: config.undecided, payloads };
}

/** What a baseline keeps of the config; the demands of payloads that were not asked for stay as they were. */
export function demandsNow(config: CheckConfig, asked: readonly CheckEntry[], old?: Demands): Demands {
  const names = new Set(asked.map(entryName));
  const own = config.entries.filter((entry) => names.has(entryName(entry)));
  const others = asked.filter((one) => own.every((entry) => entryName(entry) !== entryName(one)));
  const entries = [...own, ...others];
  const { payloads, ...terms } = demandsOf({ config, entries, root: config.folder });
  const isWhole = own.length === config.entries.length;
  const kept = isWhole ? [] : (old?.payloads ?? []).filter(({ name }) => !names.has(name));
  return { ...terms, payloads: [...kept, ...payloads] };
}

/** The facts in the baseline tell that payloads, runtimes and channels are gone. */
const TOLD_BY_FACTS = ['payload', 'runtimes', 'channels'];

/** What the config demands less than a baseline, on the runtimes that were asked for; null if the baseline keeps no demands. */
export function contractWithBaseline(
  config: CheckConfig,
  asked: readonly CheckEntry[],
  { demands }: { demands?: Demands },
  runtimes: string[],
): Contract | null {
  if (demands === undefined) return null;
  const payloads = demands.payloads.map((one) => (runtimes.length === 0 ? one : { ...one, runtimes }));
  const now = demandsOf({ config, entries: asked, root: config.folder });
  const before = { ...demands, payloads };
  const all = loosenings(config.file ?? 'config', before, now);
  return all.filter(({ what }) => !TOLD_BY_FACTS.includes(what));
}
