/** Writes a printed document in GitHub Flavored Markdown, for a pull request or a job summary. */

import { type Column, drawn, type Format, joinBlocks, type Node, type Printed, undrawn } from '../doc.ts';
import { reference, visible, visibleLines } from '../text/escape.ts';
import { neighbours } from '../text/groups.ts';
import { markOf, type Sentence, type Span, sentenceCase, type Tone } from '../words.ts';

const ZERO_WIDTH_SPACE = '&#8203;';

/** Splits mentions and references. Character references would not stop them: the finished text is searched. */
const withoutReferences = (text: string): string =>
  text
    .replace(/[@#!](?=[\p{L}\p{N}_-])/gu, (sign) => `${sign}\u200b`)
    .replace(/(GH)-(?=\d)/gi, '$1\u200b-')
    .replace(/([0-9a-f]{4})(?=[0-9a-f]{3})/g, '$1\u200b')
    .replace(/:(?=[\w+-]+:)/g, ':\u200b')
    .replace(/(www)\./gi, '$1\u200b.')
    .replace(/:(?=\/\/)/g, ':\u200b');

/**
 * Writes payload text among other text, as read by GitHub, GitLab and CommonMark: it never becomes markup, HTML, a link,
 * a mention, an issue reference, math or an emoji.
 */
export const prose = (text: string): string =>
  withoutReferences(visible(text))
    .replace(/[&<>"'`|\\*_~[\]#!@$]|:(?! |$)/g, reference)
    .replaceAll('\u200b', ZERO_WIDTH_SPACE);

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Code span, for use outside of tables: its fence is longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const shown = visible(text);
  if (shown.trim() === '') return '<code>&#160;</code>';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Fenced block. `language` must be a constant of the reporters. */
export function codeBlock(text: string, language: string): string[] {
  const lines = visibleLines(text.trimEnd());
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${fence}${language}`, ...lines, fence];
}

const MARKS: Record<Tone, string> = { good: '🟢', fair: '🟡', poor: '🟠', bad: '🔴', muted: '⚪' };

function withCode(span: Span, codeText: (text: string) => string): string {
  if (typeof span === 'string') return prose(span);
  const [mark, shown] = [markOf(span, MARKS), span.code ? codeText(span.text) : prose(span.text)];
  return mark === undefined ? shown : `${mark} ${shown}`;
}

const spanText = (span: Span): string => withCode(span, codeSpan);

const sentenceText = (sentence: Sentence): string => sentence.map(spanText).join('');

/** Text of a table cell. It uses <code> if a code span would have to escape pipes. */
const cellText = (span: Span): string =>
  withCode(span, (text) => (text.includes('|') ? `<code>${prose(text)}</code>` : codeSpan(text)));

/** A name inside markup. Markdown is not read there, so the name need not be split. */
const nameMarkup = (text: string): string =>
  `<code>${visible(text).replace(/[&<>"'`|\\*_~[\]#!@$]|:(?! |$)/g, reference)}</code>`;

function table(columns: readonly Column[]): string[] {
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell || ' ').join(' | ')} |`;
  return [
    row(columns.map(({ head }) => prose(head))),
    row(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...(columns[0]?.cells ?? []).map((_, index) =>
      row(columns.map(({ cells }) => cellText(cells[index] ?? ''))),
    ),
  ];
}

export const markdownText = ({ heading, body, facts }: Printed): string =>
  joinBlocks([
    [`## clone-prof: ${sentenceText(heading)}`],
    ...nodeBlocks(body),
    facts.length === 0 ? [] : [`<sub>${prose(facts.join(' · '))}</sub>`],
  ]);

/** Blocks of lines, separated by blank lines. Adjacent folds of one subject share one fold, to keep pages short. */
const nodeBlocks = (nodes: readonly Node[]): string[][] =>
  neighbours(nodes, (a, b) => a.type === 'fold' && b.type === 'fold' && a.of === b.of).flatMap((group) => {
    const [node, ...more] = group;
    const own = group.flatMap((one) => drawn(MARKDOWN, one, null));
    return more.length > 0 && node.type === 'fold' ? folded(node.of, ['details'], own) : own;
  });

const MARKDOWN: Format<null, string[][]> = {
  heading: ({ level, text, facts }) => [
    [`${'#'.repeat(level + 1)} ${[sentenceText(text), ...facts.map(spanText)].join(' · ')}`],
  ],
  section: ({ body }) => nodeBlocks(body),
  block: ({ body }) =>
    body.every(({ type }) => type === 'item') ? [nodeBlocks(body).flat()] : nodeBlocks(body),
  text: ({ text, tone }) => [[tone === 'muted' ? `<sub>${sentenceText(text)}</sub>` : sentenceText(text)]],
  facts: ({ facts }) => [[facts.map(spanText).join(' · ')]],
  list: ({ items }) => [items.map((one) => `- ${sentenceText(one)}`)],
  alert: ({ text, tone }) => [[`${MARKS[tone]} ${sentenceText(text)}`]],
  item: ({ label, sentences }) => {
    const [head, texts] = [`- **${sentenceCase(label)}**:`, sentences.map(sentenceText)];
    return [texts.length === 1 ? [`${head} ${texts[0]}`] : [head, ...texts.map((one) => `  - ${one}`)]];
  },
  table: ({ columns }) => [table(columns)],
  code: ({ text, language }) => [codeBlock(text, language)],
  chart: ({ chart }) => nodeBlocks(undrawn(chart)),
  fold: ({ of, title, body }) => folded(of, title, nodeBlocks(body)),
};

function folded(of: string | null, title: Sentence, blocks: readonly string[][]): string[][] {
  // A chart may be empty in Markdown, so a fold may be, too.
  const filled = blocks.filter((lines) => lines.length > 0);
  if (filled.length === 0) return [];
  const summary = title.map((span) => withCode(span, nameMarkup)).join('');
  const named = of === null ? summary : `${nameMarkup(of)}: ${summary}`;
  return [[`<details><summary>${named}</summary>`], ...filled, ['</details>']];
}
