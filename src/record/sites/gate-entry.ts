/** The sites of a recording as payloads of the gate's config, and their messages as files to commit. */
import type { LimitResult } from '../../model/documents/check.ts';
import type { LimitsConfig, PayloadConfig } from '../../model/documents/config.ts';
import type { TreeNode, ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { Channel, LibraryName } from '../../model/names.ts';
import { isObject } from '../../value/read/own-data.ts';
import { type Chance, MaskedTexts, maskTree } from '../values/masks.ts';
import { childrenOf, mapChildren } from '../values/tree-children.ts';

/** File systems allow 255 bytes. */
const MAX_LENGTH = 80;

/** Names of files without an ending, each another: "src/pool.js:41#2" is "src-pool.js-41-2". */
export function fileNames(sites: readonly string[]): string[] {
  const taken = new Set<string>();
  return sites.map((site) => {
    const plain = site
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .slice(-MAX_LENGTH);
    const base = plain === '' ? 'site' : plain;
    let name = base;
    // Some file systems do not tell capitals apart.
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${base}-${i}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

export interface GateSite {
  id: string;
  /** Path, relative to the folder of the config. */
  input: string;
  via: LibraryName | null;
  channel: Channel;
  /** Runtime that it was recorded on; null if that is not known. */
  runtime: string | null;
}

type Common = Record<'runtimes' | 'channels', readonly string[]>;

/** No slower path than now, at most a tenth more bytes; on the recorded runtime if the config lacks its kind. */
export function gateEntry({ id, input, via, channel, runtime }: GateSite, common: Common): PayloadConfig {
  const isThere = runtime === null || common.runtimes.some((spec) => spec.split('@')[0] === runtime);
  const isUsual = common.channels.length === 1 && common.channels[0] === channel;
  return {
    id,
    input,
    export: 'default',
    ...(via === null ? {} : { via }),
    ...(isThere ? {} : { runtimes: [runtime] }),
    ...(isUsual ? {} : { channels: [channel] }),
    limits: { class: 'baseline', maxBytes: '+10%' },
  };
}

const ROOM = 1.1;

/** Loosens the limits that messages break already, so that the gate fails if a message becomes worse. */
export function loosened(unmet: readonly LimitResult[]): LimitsConfig {
  const limits: Record<string, number | 'off'> = {};
  for (const { limit, actual } of unmet) {
    const isNumber = limit === 'maxAmplification' && typeof actual === 'number';
    if (!isNumber) limits[limit] = 'off';
    else limits[limit] = Math.max(Number(limits[limit] ?? 0), Number((actual * ROOM).toFixed(2)));
  }
  return limits as LimitsConfig;
}

/** Nodes of a file that people can read. */
const MAX_NODES = 1500;
/** Numbers of items that are left of a list: the first that makes the file small enough. */
const ITEMS_LEFT = [Number.POSITIVE_INFINITY, 128, 64, 32, 16, 8] as const;

/** A recorded message as a file to commit: without the program's values; some items of a long list stand for all. */
export function committed(tree: ValueTree, chance: Chance): ValueTree {
  const texts = new MaskedTexts();
  const masked = maskTree(structuredClone(tree), 'none', chance, texts);
  texts.finish();
  const most = ITEMS_LEFT.find((left) => nodesIn(thinned(masked, left)) <= MAX_NODES) ?? ITEMS_LEFT.at(-1)!;
  return thinned(masked, most);
}

const nodesIn = (tree: ValueTree): number =>
  isObject(tree) ? childrenOf(tree).reduce<number>((sum, child) => sum + nodesIn(child), 1) : 1;

function thinned(tree: ValueTree, most: number): ValueTree {
  if (!isObject(tree)) return tree;
  const inner = mapChildren(tree, (child) => thinned(child, most));
  if (inner.is !== 'object' && inner.is !== 'array' && inner.is !== 'map' && inner.is !== 'set') return inner;
  const name = 'items' in inner ? 'items' : 'entries';
  const all: readonly unknown[] = 'items' in inner ? inner.items : inner.entries;
  const isWhole = 'at' in inner || all.length <= (inner.is === 'object' ? Math.max(most, MIN_KEYS) : most);
  if (isWhole) return inner;
  const some = Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]);
  return { ...inner, [name]: some, of: inner.of ?? all.length } as TreeNode;
}

/** An object with this number of keys is a map. */
const MIN_KEYS = 64;
