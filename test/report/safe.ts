/** What holds for each document that is drawn, whatever names and texts are in it. */

import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';
import stringWidth from 'fast-string-width';
import { XMLValidator } from 'fast-xml-parser';
import { marked } from 'marked';
import type { RenderOptions } from '../../src/model/report/formats.ts';
import { PAGE_SCRIPT } from '../../src/report/html/page.ts';
import type { Document } from '../../src/report/registry.ts';
import { render } from './render.ts';

export function assertTerminalSafe(document: Document, options: RenderOptions): void {
  const text = render('terminal', document, options);
  assertNoCommands(options.color ? withoutColors(text) : text);
  if (!options.unicode) assert.match(withoutColors(text), /^[\n -~]*$/);
  for (const line of text.split('\n')) {
    const told = `${JSON.stringify(options)}: ${JSON.stringify(line)}`;
    assert.ok(stringWidth(line) <= options.columns, told);
    assert.equal(line, line.trimEnd(), `${told} ends in blanks`);
  }
}

const foreignTags = (page: string, ours: ReadonlySet<string>): string[] =>
  [...page.matchAll(/<([a-z0-9]+)/gi)].flatMap(([, tag]) => (tag && !ours.has(tag) ? [tag] : []));

/** Elements that the Markdown of the reporter makes. */
const OF_MARKDOWN = new Set(
  'h2 h3 h4 p strong sub ul li blockquote pre code table thead tbody tr th td details summary'.split(' '),
);

export const markdownPage = (document: Document): string =>
  marked.parse(render('markdown', document), { gfm: true, async: false });

export function assertMarkdownSafe(document: Document): void {
  assertNoCommands(render('markdown', document));
  assert.deepEqual(foreignTags(markdownPage(document), OF_MARKDOWN), []);
}

const OF_PAGES = new Set([
  ...'html head meta title style body header main section article script nav footer div'.split(' '),
  ...'h1 h2 h3 h4 p small span strong b a ul li dl dt dd pre code details summary'.split(' '),
  ...'table caption thead tbody tr th td figure figcaption'.split(' '),
  ...'svg defs pattern g rect line path circle text tspan desc'.split(' '),
]);

/** The document in a page: a large one is compressed. */
function documentIn(data: string): unknown {
  const parsed: unknown = JSON.parse(data);
  return typeof parsed === 'string'
    ? JSON.parse(inflateRawSync(Buffer.from(parsed, 'base64')).toString())
    : parsed;
}

export function assertPageSafe(document: Document): void {
  const page = render('html', document);
  assertNoCommands(page);
  assert.ok(page.length < 1e6, 'a page that no browser draws');
  assert.equal(XMLValidator.validate(page.replace('<!DOCTYPE html>', '')), true);
  const [data, script, ...others] = [...page.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
  assert.equal(data![1], ' type="application/json" id="report"');
  assert.doesNotMatch(data![2]!, /[<>&]/);
  assert.deepEqual(documentIn(data![2]!), JSON.parse(JSON.stringify(document)));
  assert.equal(script![2], PAGE_SCRIPT);
  assert.deepEqual(others, []);
  // It runs, fetches and leads to nothing else.
  const markup = page.replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '');
  assert.deepEqual(foreignTags(markup, OF_PAGES), []);
  assert.doesNotMatch(markup.replace(/="[^"]*"/g, '='), /<[^>]*\s(on\w+|src|style|srcset|action)=/i);
  for (const [, href = ''] of markup.matchAll(/<[^>]*\shref="([^"]*)"/gi))
    assert.ok(/^#payload-\d+$/.test(href) && page.includes(`id="${href.slice(1)}"`), href);
  assert.doesNotMatch(markup, /\bNaN\b|\bInfinity\b/);
}

export function assertJsonSafe(document: Document): void {
  const text = render('json', document);
  assertNoCommands(text);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(document)));
}

const COLORS = new RegExp(`${String.fromCharCode(27)}\\[\\d+(;\\d+)*m`, 'g');

/** The text without its colours (ESC [ numbers m); other control sequences are kept. */
const withoutColors = (text: string): string => text.replace(COLORS, '');

/** No control character, no reordering of a line, no workflow command of a CI runner. */
export function assertNoCommands(text: string): void {
  assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Bidi_C}|\p{Zl}|\p{Zp}|\p{Cs}/u, 'a control character');
  assert.doesNotMatch(text, /^\s*::[a-z]/im, 'a workflow command');
  assert.doesNotMatch(text, /##(\[|vso\[)/i, 'a workflow command of the older form');
}
