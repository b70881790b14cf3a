/** What becomes of one value of each kind that is posted, by host and channel: as docs/hosts.md prints it: seen, not ruled. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { GuestSlot } from '../../../src/app/job/guest-slot.ts';
import {
  type Channel,
  channelRow,
  channelsOf,
  ELECTRON_CHANNELS,
  EXTENSION_CHANNELS,
  IPC_CHANNELS,
  type RuntimeName,
} from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { PLATFORM_CLASSES } from '../../../src/model/vocabulary/platform-classes.ts';
import type { LossesFound } from '../../../src/model/wire/wire.ts';
import { TEST_BROWSERS } from '../../support/fetched.ts';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { guestSlot, recipeOf } from '../losses-in-page.ts';
import { KINDS } from './kinds.ts';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const DEADLINE_MS = 120_000;

const PROCESS_CHANNELS: readonly Channel[] = [
  'worker',
  'message-port',
  'structured-clone',
  'broadcast',
  ...IPC_CHANNELS,
  'storage',
];

/** Hosts of docs/hosts.md, and over which channels values are posted there. */
export const HOSTS: readonly (readonly [RuntimeSpec, readonly Channel[]])[] = [
  ['node', PROCESS_CHANNELS],
  ['bun@1.4.5', PROCESS_CHANNELS],
  ['deno@2.9.6', [...PROCESS_CHANNELS, 'node-worker']],
  ['electron', [...ELECTRON_CHANNELS, 'electron-bridge']],
  ['workerd@1.20261117.1', ['rpc', 'structured-clone']],
  ...TEST_BROWSERS.map((name) => [name, channelsOf(name, EXTENSION_CHANNELS)] as const),
];

/** Kinds that a transfer list may name, beside classes of the platform. */
const LISTED = ['ArrayBuffer', 'resizable ArrayBuffer'];

interface Kind {
  title: string;
  /** Export of a module. */
  file: string;
  name: string;
  isListed: boolean;
}

/** By the title of the kind: what is seen on each channel. */
export type Seen = Record<string, Record<string, string>>;

async function allKinds(folder: string): Promise<Kind[]> {
  const file = join(folder, 'kinds.mjs');
  const titles = Object.keys(KINDS);
  const lines = titles.map((title, i) => `export const kind${i} = KINDS[${JSON.stringify(title)}];`);
  const contents = [`import { KINDS } from './kinds.ts';`, ...lines].join('\n');
  const stdin = { contents, resolveDir: fileOf('.') };
  await build({ stdin, bundle: true, format: 'esm', outfile: file });
  const classes = Object.entries(PLATFORM_CLASSES).map(([name, { marked }]) => ({
    ...{ title: name, file: fileOf('../../../fixtures/payloads/platform-objects.js'), name },
    isListed: marked.includes('transferable'),
  }));
  const own = titles.map((title, i) => ({ title, file, name: `kind${i}`, isListed: LISTED.includes(title) }));
  return [...own, ...classes.filter(({ title }) => !titles.includes(title))];
}

/** Posts each kind over each channel of one host. */
export async function seenOn(runtime: FoundRuntime, channels: readonly Channel[]): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
  const slot = guestSlot(runtime, process.cwd(), DEADLINE_MS);
  const seen: Seen = {};
  try {
    for (const kind of await allKinds(folder)) {
      const cells: Record<string, string> = {};
      for (const channel of channels) cells[channel] = await seenOf(kind, slot, channel);
      seen[kind.title] = cells;
    }
    return seen;
  } finally {
    await slot.close();
    rmSync(folder, { recursive: true });
  }
}

export const NO_CLASS = '–';
export const NOT_BUILT = 'not built';
const NO_SUCH = /not defined|is not a constructor|no such class|undefined|Can't find variable/;

async function seenOf({ file, name, isListed }: Kind, slot: GuestSlot, channel: Channel): Promise<string> {
  const recipe = recipeOf(file, name);
  const posted = (listing: Pick<Recipe, 'transfer'>) =>
    slot.ask(
      { type: 'losses', recipe: { ...recipe, ...listing }, channel },
      { file, deadlineMs: DEADLINE_MS },
    );
  try {
    const copied = outcomeOf(await posted({}));
    if (!isListed || !channelRow(channel).moves) return copied;
    const { refused, losses } = await posted({ transfer: ['$'] });
    const isMoved = refused === null && !losses?.some(({ kind }) => kind === 'delivery');
    return isMoved ? (copied === 'throws' ? 'moved' : `${copied}, moved`) : copied;
  } catch (error) {
    return NO_SUCH.test(String(error)) ? NO_CLASS : NOT_BUILT;
  }
}

/** Of a value as a whole: "class URL became object", "Date became string". */
const WHOLE = /^(?:class \S+|null-prototype object|[A-Z]\w*) became (?:class )?(.+)$/;

/** What a value as a whole became; else what its parts became, each once. */
function outcomeOf({ refused, losses }: Pick<LossesFound, 'refused' | 'losses'>): string {
  if (refused !== null) return 'throws';
  // Where the receiver ended too.
  if (losses === null || losses.some(({ kind }) => kind === 'delivery')) return 'nothing arrives';
  const [, whole] = WHOLE.exec(losses.find(({ path }) => path === '$')?.what ?? '') ?? [];
  if (whole !== undefined) return `becomes ${whole}`;
  const parts = [...new Set(losses.map(({ what }) => what))];
  return parts.length === 0 ? 'arrives' : parts.join('; ');
}

// docs/hosts.md, of what was seen.

const INTRO = `# What arrives where

This table has the fate of one value of each kind, by runtime and channel. Each was posted and compared with the result, on the
versions below. Made by \`npm run verify:hosts -- --write\`; do not edit. \`clone-prof analyze\` tells the same of your payload,
with paths, and \`clone-prof rules\` why.

- *arrives*: equal, by its class, own properties and content; a function over \`rpc\` arrives as a stub that calls it
- *moved*: arrives when a transfer list names it, and is lost to the sender
- *becomes X*: an X arrives, without the parts that belong to the class
- *throws*: the call throws, and nothing is sent
- *nothing arrives*: the call does not throw; some receivers end with an error
- ${NO_CLASS}: the runtime lacks the class
`;

const TITLES: Record<RuntimeName, string> = {
  ...{ node: 'Node', bun: 'Bun', deno: 'Deno', electron: 'Electron', workerd: 'workerd' },
  ...{ chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKit' },
};

const headingOf = (runtime: FoundRuntime): string => `## ${TITLES[runtime.name]} ${runtime.version}`;

/** Channels with the same column are one column. */
export function hostSection(runtime: FoundRuntime, seen: Seen): string {
  const rows = Object.entries(seen).filter(([, cells]) =>
    Object.values(cells).some((cell) => cell !== NO_CLASS && cell !== NOT_BUILT),
  );
  const columns = new Map<string, string[]>();
  for (const channel of Object.keys(rows[0]?.[1] ?? {})) {
    const column = JSON.stringify(rows.map(([, cells]) => cells[channel]));
    columns.set(column, [...(columns.get(column) ?? []), channel]);
  }
  const groups = [...columns.values()];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    headingOf(runtime),
    '',
    line(['', ...groups.map((channels) => channels.map((one) => `\`${one}\``).join(', '))]),
    line(['---', ...groups.map(() => '---')]),
    ...rows.map(([title, cells]) =>
      line([title, ...groups.map(([channel]) => cells[channel!]!.replaceAll('|', '\\|'))]),
    ),
    '',
  ].join('\n');
}

/** What the document says of a host, by title and channel; null where it is of another version. */
export function writtenOf(runtime: FoundRuntime, document: string): Seen | null {
  const from = document.indexOf(`${headingOf(runtime)}\n`);
  if (from < 0) return null;
  const [head = [], , ...rows] = document
    .slice(from)
    .split('\n\n')[1]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(2, -2).split(' | '));
  const groups = head.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, channel]) => channel!));
  const byChannel = (cells: readonly string[]) =>
    Object.fromEntries(groups.flatMap((channels, at) => channels.map((one) => [one, cells[at]!])));
  return Object.fromEntries(rows.map((cells) => [cells[0]!, byChannel(cells)]));
}

export const hostsDocument = (sections: readonly string[]): string => [INTRO, ...sections].join('\n');
