/**
 * Payload text inside Markdown, as GitHub, GitLab and CommonMark read it: nothing becomes markup, HTML, a link, a
 * mention, an issue reference, math or an emoji. Code spans where there is room for them; elsewhere every sign that
 * means something is an entity, and what is only recognised in plain text is parted by a zero-width space.
 */
import { visible, visibleLines } from '../escape.ts';

const entity = (sign: string): string => `&#${sign.charCodeAt(0)};`;

const PARTED = '&#8203;';

/** Mentions and references are looked for in the finished text, so entities do not stop them; a parted word does. */
function withoutReferences(text: string): string {
  return text
    .replace(/[@#!](?=[\p{L}\p{N}_-])/gu, (sign) => `${sign}\u200b`)
    .replace(/(GH)-(?=\d)/gi, '$1\u200b-')
    .replace(/([0-9a-f]{4})(?=[0-9a-f]{3})/g, '$1\u200b')
    .replace(/:(?=[\w+-]+:)/g, ':\u200b')
    .replace(/(www)\./gi, '$1\u200b.')
    .replace(/:(?=\/\/)/g, ':\u200b');
}

/** Text among other text, table cells included. */
export function prose(text: string): string {
  return withoutReferences(visible(text))
    .replace(/[&<>"'`|\\*_~[\]#!@$]|:(?! |$)/g, entity)
    .replaceAll('\u200b', PARTED);
}

/** A path or a name in a table cell; a code span there would have to escape its pipes. */
export const cellCode = (text: string): string => `<code>${prose(text)}</code>`;

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A code span, outside of tables: its fence is longer than any run of backticks in it. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown.trim() === '') return '<code>&#160;</code>';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A fenced block. `language` is ours. */
export function codeBlock(text: string, language = ''): string[] {
  const lines = visibleLines(text.replace(/\s+$/, ''));
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${fence}${language}`, ...lines, fence];
}
