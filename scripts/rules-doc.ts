// docs/rules.md, made from the rule tables: `npm run docs`. A test fails when the file is older than the tables.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENGINES, RULE_BOOKS } from '../src/engines/index.ts';
import {
  allFixes,
  type Engine,
  type PathRow,
  type Rule,
  type Scope,
  type UnknownRow,
} from '../src/model/rules/rule.ts';
import { groupedBy } from '../src/model/sums.ts';

const INTRO = `# The rule book

Made from the tables in \`src/engines\` and \`src/channels\` by \`npm run docs\`; do not edit. \`clone-prof rules bun@1.4\` prints the rules of one
version, \`clone-prof verify\` proves them on the installed binaries. Each rule has a value that fires it and a similar value that
does not, in \`fixtures/payloads\`.
`;

const HEADINGS: Record<Engine['name'], string> = {
  v8: 'V8: Node.js, Deno, Chromium',
  jsc: 'JavaScriptCore in Bun',
  spidermonkey: 'SpiderMonkey: Firefox',
  webkit: 'WebKit: Safari',
};

const list = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ');

function scopeText({ runtimes, channels, exceptOn, exceptOver, transferring }: Scope = {}): string[] {
  const [versions, others] = [runtimes, exceptOn].map((some) =>
    Object.entries(some ?? {}).map(([name, range]) => `${name} ${range}`),
  ) as [string[], string[]];
  return [
    ...(versions.length > 0 ? [`Versions: ${list(versions)}.`] : []),
    ...(channels ? [`Channels: ${list(channels)}.`] : []),
    ...(others.length > 0 ? [`Except on ${list(others)}.`] : []),
    ...(exceptOver?.length ? [`Except over ${list(exceptOver)}.`] : []),
    ...(transferring === undefined ? [] : [`Transfer list: ${transferring ? 'needed' : 'none'}.`]),
  ];
}

function pathText({ path, costs, title, why, scope, since, otherwise, source }: PathRow): string {
  const notes = [
    `Class: \`${costs}\`.`,
    ...scopeText(since ? { ...scope, runtimes: since } : scope),
    otherwise ? `Otherwise: \`${otherwise}\`.` : '',
  ];
  return `1. **\`${path}\`: ${title}.** ${why} ${notes.filter(Boolean).join(' ')} *Source: ${source}*`;
}

/** @param rows of one rule: its texts are in each of them */
function ruleText(rows: readonly Rule[]): string {
  const { id, level, title, why, blocks, costs, loses, remedies, source } = rows[0]!;
  const places = rows.map(({ at, scope }) => [`At: ${list([at].flat())}.`, ...scopeText(scope)].join(' '));
  const notes = [
    places.join(' Or '),
    ...(blocks ? [`Blocks: ${list(blocks)}.`] : []),
    ...(costs ? [`Costs: \`${costs}\`.`] : []),
    ...(loses ? [`Loses: ${list([loses].flat())}.`] : []),
    ...(remedies?.length ? [`Remedies: ${list(remedies)}.`] : []),
  ];
  return `### \`${id}\`\n\n**${title}** (${level}). ${[why, ...allFixes(rows[0]!)].join(' ')}\n\n${notes.join(' ')} *Source: ${source}*`;
}

const rulesText = (rules: readonly Rule[]) => [...groupedBy(rules, ({ id }) => id).values()].map(ruleText);

const unknownText = ({ what, on, scope, source }: UnknownRow) =>
  `- \`${what}\`: matters for ${list(on)}. ${scopeText(scope).join(' ')} *Source: ${source}*`;

function engineText({ name, paths, unknowns }: Engine): string[] {
  return [
    `## ${HEADINGS[name]}`,
    'Paths, in the order of the engine:',
    paths.map(pathText).join('\n'),
    ...rulesText(RULE_BOOKS[name]),
    ...(unknowns.length > 0
      ? ['Facts that neither reflection nor the engine reveals:', unknowns.map(unknownText).join('\n')]
      : []),
  ];
}

export function rulesDoc(): string {
  const standard = ['## Every engine: what the HTML standard fixes', ...rulesText(RULE_BOOKS.spec)];
  return `${[INTRO.trim(), ...Object.values(ENGINES).flatMap(engineText), ...standard].join('\n\n')}\n`;
}

const file = fileURLToPath(new URL('../docs/rules.md', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, rulesDoc());
