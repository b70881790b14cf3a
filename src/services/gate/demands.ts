/** Finds the demands that the config had before and has dropped or loosened. */
import { existsSync, lstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Contract, loosenings } from '../../core/gate/contract.ts';
import { hashOfFile } from '../../machine/given-file.ts';
import type { Demands } from '../../model/documents/baseline.ts';
import { SERIALIZER_NAMES } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { CheckConfig, CheckEntry } from '../../model/run/check-config.ts';
import { entryName } from './gate-request.ts';

/** Config with its requested entries and the root of its paths. */
interface Demanding {
  config: CheckConfig;
  entries: readonly CheckEntry[];
  /** Folder that stands for the root of the repository. */
  root: string;
}

/**
 * Demands of the other commit that the current config drops or loosens. A file that was only moved counts as the same
 * file. @param before a text if that config cannot be read
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
  return [...all.filter((_, i) => !areMoved[i]), ...baselineGone(now, before)];
}

/** The baseline of the other commit, if there is none now: a check without --base would compare with nothing. */
function baselineGone(now: Demanding, before: Demanding): Contract {
  const [old, current] = [before, now].map(({ config }) => resolve(config.folder, config.baseline));
  const file = relative(before.root, old!).replaceAll('\\', '/');
  const isGone = existsSync(old!) && !existsSync(current!);
  return isGone ? [{ payload: file, what: 'baseline', from: file, to: null }] : [];
}

/** Paths of rewrites and codecs whose content has changed, or that have become links. */
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

/** True for equal bytes, read piece by piece because a payload may be large. False also if a file is missing. */
async function isSameContent(one: string, other: string): Promise<boolean> {
  try {
    const stats = await Promise.all([one, other].map((file) => stat(file)));
    if (!stats.every((is) => is.isFile() && is.size === stats[0]?.size)) return false;
    return (await sha256(one)) === (await sha256(other));
  } catch {
    return false;
  }
}

/** True if each recipe is built of one whole file, and both files have equal bytes. */
export async function isSameFile({ build: now }: Recipe, { build: before }: Recipe): Promise<boolean> {
  if (now.form !== before.form || !('file' in now && 'file' in before)) return false;
  if (now.form === 'module' || now.form === 'ndjson') return false;
  return isSameContent(now.file, before.file);
}

/** Demands of a config. Paths start from `root`, so that they do not depend on the folder of the config. */
function demandsOf({ config, entries, root }: Demanding): Demands {
  const placed = (path: string) => relative(root, resolve(config.folder, path)).replaceAll('\\', '/');
  const isPackage = (word: string) => SERIALIZER_NAMES.some((name) => name === word);
  const payloads = entries.map(({ id, input, type: _, ...entry }) => ({
    ...{ name: entryName({ id, input }), file: placed(input), ...entry },
    remedies: entry.remedies.map((word) => (isPackage(word) ? word : placed(word))),
    ...(entry.codec && { codec: placed(entry.codec) }),
    limits: Object.fromEntries(
      Object.entries(entry.limits).map(([name, { preset: _, ...limit }]) => [name, limit]),
    ),
  }));
  return { new: config.new, undecided: config.undecided, payloads };
}

/** Demands that a baseline keeps of the config. The demands of payloads that were not requested do not change. */
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

/** Dropped demands that the facts of the baseline report already: payloads, runtimes and channels that are gone. */
const TOLD_BY_FACTS = ['payload', 'runtimes', 'channels'];

/** Demands of a baseline that the config loosens, on the requested runtimes; null if the baseline keeps no demands. */
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
