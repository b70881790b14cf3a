import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument, REPORT } from '../../src/app/store/documents.ts';
import type { Report } from '../../src/model/documents/report.ts';
import { seeded } from '../../src/stats/intervals/random.ts';
import {
  advice,
  analyzedRecording,
  blocker,
  failed,
  finding,
  payload,
  report,
  run,
  traffic,
  trial,
  verdict,
} from '../make.ts';
import { usually } from '../support/whole.ts';
import { render } from './render.ts';
import { assertMarkdownSafe, assertPageSafe, assertTerminalSafe, markdownPage } from './safe.ts';

const SEED = Number(process.env.SEED ?? 20_240_601);
const ROUNDS = usually([12], [40]).at(-1)!;
/** What was wrong once. */
const FOUND: [what: string, seed: number, round: number][] = [
  ['a word that begins with a variation selector, at the end of a line', 68_203_000, 33],
];

/** Pieces with a meaning for a terminal, a runner, Markdown, HTML or a measure of width. */
const PIECES = [
  ...['\u001b[31m', '\u001b]8;;x\u0007', '\u009b', '\u0000', '\u007f', '\r', '\n', '\t', '\u2028', '\u202e'],
  ...':: error ## [ vso[ ] ` `` | \\ * _ ~~ $ @a #1 ! ( )'.split(' '),
  ...'< </script> <!-- --> ]]> & &lt; " \' = https://x.y www.z a@b.c :+1:'.split(' '),
  ...['日', '本', '👩‍👩‍👧', '🫠', '🇩🇪', 'é', 'e\u0301', '\u200b', '\ufe0f', '\ud83d', '\udc00', '\u3164'],
  ...[' ', '  ', 'word', 'a', 'Z', '0', '.', ',', '-', '…', '—', '\ue000', '\u{e0041}', '﷽', 'ก็็็'],
];

let random = seeded(SEED);
const pick = (below: number) => Math.floor(random() * below);
const text = () => Array.from({ length: 1 + pick(30) }, () => PIECES[pick(PIECES.length)]).join('');

function randomReport() {
  const found = finding(text(), text(), { level: 'lossy', what: text() });
  const blocking = finding(text(), text());
  const loses = { equality: 'lossy', losses: [{ path: text(), what: text() }] } as const;
  return report(
    payload(
      text(),
      [
        run('bun@1.4.5', {
          verdict: verdict({
            blockers: [blocker(blocking)],
            unknowns: [{ what: text(), path: text(), count: 2 }],
            refusal: text(),
          }),
          findings: [blocking, found],
          trials: [trial(text(), 0.5, { path: text(), ...loses, losses: [...loses.losses] })],
          advice: advice('apply', { remedy: text(), path: text(), code: text() }),
        }),
        failed('node@24.21.0', { code: 'guest-crashed', message: text(), path: text() }),
      ],
      { source: { file: text(), export: text() } },
    ),
  );
}

function randomRecording(): Report {
  const frame = { file: text(), line: 1, column: 1, name: text() };
  const posted = traffic({
    ...{ from: text(), to: text() },
    site: { user: frame, library: { name: text(), version: text(), frame } },
    lint: [{ rule: 'queue-grows', count: 1, of: 2, bytes: 3, ns: 4, savesMs: 5 }],
    values: { from: 'made-up', seed: 1, differences: [text(), text()] },
  });
  const file = text();
  const gaps = [{ what: text(), count: 2 }];
  const recorded = payload(text(), [run('bun@1.4.5')], { source: { file, export: null }, traffic: posted });
  return { ...report(recorded), recordings: [analyzedRecording({ file, command: [text()], gaps })] };
}

/** Of each table of a page, how many cells its rows have. */
const rowWidths = (page: string): number[][] =>
  (page.match(/<table>[\s\S]*?<\/table>/g) ?? []).map((table) =>
    table
      .split('<tr>')
      .slice(1)
      .map((row) => (row.match(/<t[hd]/g) ?? []).length),
  );

const randomWidth = () => 40 + pick(120);

function assertSafe(given: Report, columns: number): void {
  for (const unicode of [true, false]) assertTerminalSafe(given, { columns, unicode, color: false });
  assertPageSafe(given);
  assertMarkdownSafe(given);
  assert.deepEqual(parseDocument(render('json', given), 'r.json', REPORT), given);
}

test(`random payload text is escaped and fits the terminal (SEED=${SEED})`, () => {
  for (let round = 0; round < ROUNDS; round++) {
    const given = randomReport();
    assertSafe(given, randomWidth());
    const tables = rowWidths(markdownPage(given)).map((widths) => new Set(widths).size);
    assert.deepEqual(tables, [1, 1, 1], `round ${round}`);
  }
});

test(`random text of recordings too (SEED=${SEED})`, () => {
  for (let round = 0; round < ROUNDS / 4; round++) assertSafe(randomRecording(), randomWidth());
});

for (const [what, seed, found] of FOUND)
  test(`found before: ${what} (SEED=${seed})`, () => {
    random = seeded(seed);
    const rounds = Array.from({ length: found + 1 }, () => [randomReport(), randomWidth()] as const);
    assertSafe(...rounds[found]!);
  });
