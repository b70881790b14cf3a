import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marked } from 'marked';
import { codeBlock, codeSpan, prose } from '../../src/report/markdown/nodes.ts';
import { HOSTILE } from './frozen/hostile.ts';
import { frozen, render } from './render.ts';

const NAMED: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** Entities are read once, as a browser reads them. */
const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (found, unit, name) =>
    unit === undefined ? (NAMED[name] ?? found) : String.fromCharCode(Number(unit)),
  );

const rendered = (text: string) => marked.parse(text, { gfm: true, async: false });
const tagsOf = (page: string) => new Set([...page.matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag));

const textOf = (page: string) => withoutEntities(page.replace(/<[^>]*>/g, '')).trim();

const decoded = (page: string) => textOf(page).replaceAll('\u200b', '');

const VISIBLE: Record<string, string> = {
  table: HOSTILE.table,
  ticks: HOSTILE.ticks,
  markdown: HOSTILE.markdown,
  script: HOSTILE.script,
  wide: HOSTILE.wide,
  quotes: HOSTILE.quotes,
  references: 'GH-12 @octo octo/repo#3 !4 deadbeef00 :tada: a@b.example $x^2$ ~~s~~',
};

for (const [what, text] of Object.entries(VISIBLE)) {
  test(`${what} reads unchanged in prose, in a table, in a code span and in a block`, () => {
    assert.equal(decoded(rendered(`x ${prose(text)}`)), `x ${text}`);
    const [, , cell] = rendered(`| a |\n| --- |\n| ${prose(text)} |`).split(/<t[hd]>/);
    assert.equal(decoded(cell ?? ''), text);
    assert.equal(decoded(rendered(codeSpan(text))), text);
    assert.equal(decoded(rendered(codeBlock(text, 'js').join('\n'))), text);
  });

  test(`${what} becomes no element`, () => {
    assert.deepEqual([...tagsOf(rendered(`x ${prose(text)}`))], ['p']);
  });
}

test('mentions and references are split, because they are looked for after rendering', () => {
  const text = textOf(rendered(prose('@octo #3 GH-12 :tada: www.x.example')));
  assert.doesNotMatch(text, /@octo|#3|GH-12|:tada:|www\.x/);
});

/** The parts of a page that are not folded, and how many parts at the top are. */
function unfolded(page: string): { shown: string; parts: number } {
  let [depth, parts, shown] = [0, 0, ''];
  for (const piece of page.split(/(?=^<details>)|(?<=^<\/details>$)/m)) {
    if (piece.startsWith('<details>') && depth++ === 0) parts += 1;
    if (depth === 0) shown += piece;
    if (piece.endsWith('</details>')) depth -= 1;
    assert.ok(depth >= 0);
  }
  assert.equal(depth, 0);
  return { shown, parts };
}

test('no text of a payload ends a table or a folded part, or begins one', () => {
  const report = structuredClone(frozen('hostile'));
  const [payload] = report.payloads;
  assert.ok(payload?.runs[0]?.advice);
  const breakout =
    '</code></summary></details>\n\n```\n\n</details>\n\n<details open>|`a`|\n\n| b |\n| --- |\n';
  Object.assign(payload, { id: breakout, source: { file: breakout, export: breakout } });
  Object.assign(payload.runs[0].advice, { code: breakout, module: breakout, remedy: breakout });
  const page = rendered(render('markdown', report));
  const { shown, parts } = unfolded(page);
  assert.equal(parts, report.payloads.length);
  assert.equal(shown.match(/<tr>/g)?.length, 1 + payload.runs.length);
  const inTable = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];
  assert.deepEqual(tagsOf(shown), new Set(['h2', 'h3', ...inTable, 'code', 'p', 'sub']));
});
