import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument, REPORT } from '../../src/app/store/documents.ts';
import type { Traffic } from '../../src/model/documents/recorded/traffic.ts';
import type { Report } from '../../src/model/documents/report.ts';
import type { RenderOptions } from '../../src/model/report/formats.ts';
import type { Document } from '../../src/report/registry.ts';
import { seeded } from '../../src/stats/intervals/random.ts';
import {
  advice,
  analyzedRecording,
  blocker,
  estimate,
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
import { compared, comparedSweeps, sweepOf } from './compare/reports.ts';
import { HOSTILE } from './frozen/hostile.ts';
import { FROZEN_SWEEPS } from './frozen/sweeps.ts';
import { FROZEN, frozen, render } from './render.ts';
import {
  assertJsonSafe,
  assertMarkdownSafe,
  assertPageSafe,
  assertTerminalSafe,
  markdownPage,
} from './safe.ts';

const KEYS = Object.values(HOSTILE);

/** Each text of a report that comes from outside. */
function hostileReport(at: number): Report {
  const base = report(
    payload(KEYS.join(' '), [
      run('bun@1.4.5', {
        verdict: verdict({ class: at === 0 ? 'serialized' : 'in-memory' }),
        findings: KEYS.map((key) => finding(key, `$.${at}.${key}`)),
        trials: KEYS.map((key) =>
          trial(key, 0.3 + at / 2, { path: `$.${key}`, plan: { path: '$', form: key } }),
        ),
        advice: advice('apply', { remedy: `${at}${HOSTILE.ticks}`, path: `$.${HOSTILE.table}` }),
        status: at === 0 ? 'measured' : 'failed',
        error: at === 0 ? null : { code: 'x', message: KEYS.join(' ') },
      }),
    ]),
  );
  const machine = { ...base.machine, os: HOSTILE.osc, arch: HOSTILE.bidi, cpu: HOSTILE.script };
  return { ...base, machine, tool: { version: HOSTILE.markdown }, date: HOSTILE.table };
}

const nasty = compared(hostileReport(0), hostileReport(1));
nasty.reports[0]!.file = KEYS.join('/');

const sweepOn = (version: string, last: number, size: number) =>
  sweepOf(
    ['node', version],
    { 10: estimate(1.5), 1000: estimate(last) },
    [{ size, ci: [size - 5, size + 5] }],
    HOSTILE.table,
  );

const COMPARISONS: Record<string, Document> = {
  'hostile reports': nasty,
  'equal reports': compared(frozen('three-runtimes'), frozen('three-runtimes')),
  'three reports': compared(frozen('three-runtimes'), frozen('apply'), frozen('failures')),
  'reports without a run': compared(frozen('empty'), frozen('empty')),
  sweeps: comparedSweeps(sweepOn('24.0.0', 0.8, 30), sweepOn('26.0.0', 0.4, 45)),
  'sweeps without a strategy': comparedSweeps(
    sweepOf(['node', '24.0.0'], {}),
    sweepOf(['node', '24.0.0'], {}),
  ),
};

/** The recording with other traffic at all of its sites. */
const withTraffic = (more: Partial<Traffic>, name?: string): Report => ({
  ...frozen('recording'),
  payloads: frozen('recording').payloads.map((one, index) => ({
    ...one,
    ...(name !== undefined && { id: `${name}${index}` }),
    traffic: { ...one.traffic!, ...more },
  })),
});

const RECORDINGS: Record<string, Document> = {
  'names that are attacks': withTraffic({}, KEYS.join('').repeat(5)),
  'steps without a length': withTraffic({ times: { stepMs: 0, counts: [1, 0, 5] } }),
  'steps of any length': withTraffic({ times: { stepMs: 1e308, counts: [0, 0, 0, 9] } }),
  'many steps': withTraffic({
    times: { stepMs: 1e-9, counts: new Array<number>(100_000).fill(2 ** 53 - 1) },
  }),
  'nothing posted': withTraffic({ times: { stepMs: 1, counts: [] }, queue: null, bytes: null, cost: null }),
  'sums that overflow': withTraffic({ bytes: { total: 1.7e308, ci: [0, 1.7e308], max: 1e308 } }),
  'a cost without end': withTraffic({
    cost: { perMessageNs: 1e300, totalMs: 1.7e300, share: 1, of: 'send' },
  }),
  'a queue that grows': withTraffic({ queue: { max: 2 ** 53 - 1, last: 2 ** 53 - 1 } }),
};

const WIDTHS = usually([40, 81], [41, 60, 100, 53, 47, 59, 61, 72, 80, 120, 163, 200]);
/** Colours change no width, whatever the characters: each of the four pairs at half of the widths. */
const TERMINALS: RenderOptions[] = WIDTHS.flatMap((columns, index) =>
  [true, false].map((unicode) => ({ columns, unicode, color: unicode === (index % 2 === 0) })),
);

for (const [kind, documents] of Object.entries<Record<string, Document>>({
  report: FROZEN,
  'comparison of': COMPARISONS,
  sweep: FROZEN_SWEEPS,
  'recording with': RECORDINGS,
}))
  for (const [name, document] of Object.entries(documents))
    describe(`${kind} ${name}`, () => {
      test('a terminal shows no control character, and each line fits', () => {
        for (const options of TERMINALS.flatMap((one) => [one, { ...one, details: true }]))
          assertTerminalSafe(document, options);
      });
      test('Markdown makes only elements of the reporter', () => assertMarkdownSafe(document));
      test('a page is well-formed, holds the document, and runs, fetches and leads to nothing else', () =>
        assertPageSafe(document));
      test('JSON is the document', () => assertJsonSafe(document));
    });

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
