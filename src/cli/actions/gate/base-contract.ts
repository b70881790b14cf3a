/** What the config demanded before, and does not any more. */
import { join, relative, resolve } from 'node:path';
import { type Contract, type Loosening, loosenings, termLoosenings } from '../../../core/gate/contract.ts';
import type { Demand, Demands } from '../../../model/documents/baseline.ts';
import type { CheckConfig, CheckEntry, Limit } from '../../../model/gate/check.ts';
import { SERIALIZER_NAMES } from '../../../model/names.ts';
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

/** Of now and the other commit. */
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

/** With names that do not depend on where the config lies. */
function demandsOf({ config, entries, root }: Side): Demand[] {
  const placed = (path: string) => relative(root, resolve(config.folder, path)).replaceAll('\\', '/');
  const isPackage = (word: string) => SERIALIZER_NAMES.some((name) => name === word);
  return entries.map(({ sender, codec, limits, remedies, ...entry }) => {
    const { export: only, as, runtimes, channels, via, transfer } = entry;
    return {
      ...{ name: entryName(entry), file: placed(entry.input), export: only, as, runtimes, channels },
      ...(sender && { sender }),
      ...{ via, transfer, remedies: remedies.map((word) => (isPackage(word) ? word : placed(word))) },
      ...(codec !== undefined && { codec: placed(codec) }),
      limits: Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, withoutOrigin(limit)])),
    };
  });
}

const withoutOrigin = ({ preset: _, ...limit }: Limit) => limit;

/** What a baseline keeps of the config; the demands of payloads that were not asked for stay as they were. */
export function demandsNow(config: CheckConfig, asked: readonly CheckEntry[], old?: Demands): Demands {
  const names = new Set(asked.map(entryName));
  const own = config.entries.filter((entry) => names.has(entryName(entry)));
  const others = asked.filter((one) => own.every((entry) => entryName(entry) !== entryName(one)));
  const now = demandsOf({ config, entries: [...own, ...others], root: config.folder });
  const isAsked = ({ name }: Demand) => names.has(name);
  const isWhole = own.length === config.entries.length;
  const kept = isWhole ? [] : (old?.payloads ?? []).filter((one) => !isAsked(one));
  return { new: config.new, undecided: config.undecided, payloads: [...kept, ...now] };
}

/** That payloads, runtimes and channels are gone, their facts in the baseline tell. */
const TOLD_BY_FACTS = ['payload', 'runtimes', 'channels'];

/** Of now and a baseline, on the runtimes that were asked for; null where it keeps no demands. */
export function contractWithBaseline(
  config: CheckConfig,
  asked: readonly CheckEntry[],
  { demands }: { demands?: Demands },
  runtimes: string[] | null,
): Contract | null {
  if (demands === undefined) return null;
  const before = demands.payloads.map((one) => (runtimes === null ? one : { ...one, runtimes }));
  const loosened = [
    ...termLoosenings(config.file ?? 'config', { ...demands, accept: [] }, { ...config, accept: [] }),
    ...loosenings(before, demandsOf({ config, entries: asked, root: config.folder })),
  ].filter(({ what }) => !TOLD_BY_FACTS.includes(what));
  return { loosened, hash: '', isAccepted: false, file: config.file };
}
