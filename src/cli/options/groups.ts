/** Headings of the help, for commands with many options. */

/** More options than these are shown in groups. */
const MAX_UNGROUPED = 9;

/** Names of settings by the heading that their options have, in the order of the help. */
export const GROUPS = {
  What: [
    ...['exports', 'as', 'one', 'transfer', 'via', 'top', 'site', 'preset', 'scale', 'steps', 'by'],
    ...['config', 'samples', 'mask'],
  ],
  Where: ['runtimes', 'channels', 'sender', 'listen'],
  Measuring: ['budgetMs', 'totalMs', 'measure', 'watch', 'byPath', 'profile', 'seed', 'timeoutMs'],
  'Baseline and commits': ['base', 'accept', 'fixCodec'],
  'In CI': ['init', 'shards', 'shard', 'merge', 'expect'],
  Output: ['formats', 'output', 'quiet', 'details'],
  Rewrites: ['tries', 'emit', 'assumeIntegers', 'withView'],
  'Fetching runtimes': ['offline', 'projectNpmrc'],
} as const;

const ROWS = Object.entries(GROUPS).map(([title, settings]) => ({
  title: `${title}:`,
  settings: new Set<string>(settings),
}));

/** Heading of the option that displays the help. */
export const LAST_GROUP = 'Other:';

/** Options of a command by their heading; one group without a heading if they are few. */
export function grouped<Row>(
  options: readonly (readonly [setting: string, row: Row])[],
): { title: string | null; options: (readonly [setting: string, row: Row])[] }[] {
  if (options.length <= MAX_UNGROUPED) return [{ title: null, options: [...options] }];
  const known = ROWS.map(({ title, settings }) => ({
    title,
    options: options.filter(([setting]) => settings.has(setting)),
  }));
  const named = new Set(known.flatMap((group) => group.options));
  const others = options.filter((option) => !named.has(option));
  return [...known, { title: LAST_GROUP, options: others }];
}
