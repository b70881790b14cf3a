/** docs/hosts.md, of what was seen. */
import type { RuntimeName } from '../../../src/model/names.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { NO_CLASS, NOT_BUILT, type Seen } from './matrix.ts';

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
