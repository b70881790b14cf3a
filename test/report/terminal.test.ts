import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Report } from '../../src/model/documents/report.ts';
import type { RenderOptions } from '../../src/model/report/render-options.ts';
import { payloadNodes, reportFrame } from '../../src/report/print/report.ts';
import { cutNames, terminalStyle, textWidth, wrapped } from '../../src/report/terminal/layout.ts';
import { table, terminalNodes, terminalText } from '../../src/report/terminal/nodes.ts';
import { seeded } from '../../src/stats/intervals/random.ts';
import { usually } from '../support/whole.ts';
import { withoutColors } from './commands.ts';
import { FROZEN } from './frozen/reports.ts';
import { frozen, PLAIN, render } from './render.ts';

const WIDTHS = usually([40, 81], [41, 60, 100, 53, 47, 59, 61, 72, 80, 120, 163, 200]);
const printed = (report: Report, options: Partial<RenderOptions> = {}) =>
  render('terminal', report, { details: true, ...options });

for (const [name, report] of Object.entries(FROZEN))
  test(`${name} reads the same with colours and without`, () => {
    assert.equal(withoutColors(printed(report, { color: true })), printed(report));
  });

test('two plans of a remedy at one place say how they differ', () => {
  const rows: [one: object, other: object, RegExp, RegExp][] = [
    [
      { form: 'joined' },
      { form: 'listed' },
      /compiled \(one text\) .* 0\.50 /,
      /compiled \(texts apart\) .* 0\.97 /,
    ],
    [{ form: 'odd' }, { form: 'listed' }, /compiled \(odd\) /, /compiled \(texts apart\) /],
    [
      { paths: ['$.a', '$.b'] },
      { paths: ['$.c'] },
      /compiled \(at \$\.a, \$\.b\) /,
      /compiled \(at \$\.c\) /,
    ],
    [{ wide: true }, {}, /compiled \(plan 2\) /, /compiled \(plan 1\) /],
  ];
  for (const [one, other, ...wanted] of rows) {
    const report = structuredClone(frozen('apply'));
    const run = report.payloads[0]?.runs[0];
    const columns = run?.trials.find(({ remedy }) => remedy === 'columns');
    assert.ok(run && columns);
    Object.assign(columns, { remedy: 'compiled', path: '$', plan: { path: '$', ...other } });
    const ratio = { ratio: 0.5, ci: [0.4, 0.6] as [number, number] };
    run.trials.push({ ...columns, plan: { path: '$', ...one }, withConversion: ratio });
    const text = printed(report, { columns: 100 });
    for (const name of wanted) assert.match(text, name);
  }
});

test('long or wide code is replaced by a pointer to what prints or writes it', () => {
  const report = structuredClone(frozen('apply'));
  const advice = report.payloads[0]?.runs[0]?.advice;
  assert.ok(advice);
  const printedCode = (code: string, columns = 80) => {
    advice.code = code;
    return printed(report, { columns });
  };
  const short = '  const near = 1;\n\n// second\na();\nb();\nc();\nd();';
  assert.match(printedCode('a();\n'.repeat(60)), /The code has 60 lines: -f markdown prints it\./);
  for (const columns of WIDTHS) assert.ok(printedCode(short, columns).includes(`\n${short}\n`));
  const wide = `  const wide = [${'1, '.repeat(80)}];\n${short}`;
  assert.match(printedCode(wide), /The code is wider than 80 columns: -f markdown prints it\./);
  advice.module = 'export {};\n'.repeat(40);
  assert.match(printedCode(short), /The code has 40 lines: --emit FILE writes it\./);
});

test('a long comment of code is wrapped as a comment', () => {
  const report = structuredClone(frozen('apply'));
  const advice = report.payloads[0]?.runs[0]?.advice;
  assert.ok(advice);
  advice.code = `// ${'the sender loses it '.repeat(3)}\npost();`;
  const text = printed(report, { columns: 40 });
  assert.ok(
    text.includes('\n// the sender loses it the sender loses\n// it the sender loses it\npost();\n'),
    text,
  );
});

test('differences between the paths of a table are not cut', () => {
  const rows: [paths: string, shown: string][] = [
    [
      '$ | $.data.attributes.relationships.customer | $.data.attributes.relationships.invoices[*]',
      '$ | $….customer | $….invoices[*]',
    ],
    [
      '$.a.long.way.from.here.to.id | $.b.long.way.from.here.to.id',
      '$.a.long.wa…here.to.id | $.b.long.wa…here.to.id',
    ],
    ['$.data.long.names.of.things | $.data.long.names.of.things.id', '$….things | $….things.id'],
    ['$.a.b.c.d.e.f.1.o.p.q.r.s.t | $.a.b.c.d.e.f.2.o.p.q.r.s.t', '$….1.o.p.q.r.s.t | $….2.o.p.q.r.s.t'],
    [
      'aaaaaaaaaaaaaaa1zzzzzzzzzzzzzzz | aaaaaaaaaaaaaaa2zzzzzzzzzzzzzzz',
      'aaaaaaaaaaaaaaa1zzzzzzzzzzzzzzz | aaaaaaaaaaaaaaa2zzzzzzzzzzzzzzz',
    ],
    [
      'columns $.a.very.long.way.down.to.x | columns $.a.very.long.way.down.to.y',
      'columns $….x | columns $….y',
    ],
  ];
  for (const [paths, shown] of rows)
    assert.equal(cutNames(paths.split(' | '), 22, terminalStyle(PLAIN)).join(' | '), shown);
});

test('payloads can be printed one by one', () => {
  const report = frozen('failures');
  const parts = [
    ...report.payloads.map((payload) => terminalNodes(payloadNodes(payload), PLAIN)),
    terminalText(reportFrame(report), PLAIN),
  ];
  assert.equal(parts.filter((part) => part !== '\n').join('\n'), render('terminal', report));
});

const SEED = Number(process.env.SEED ?? 20_240_601);

/** What is not measured cell by cell, in the order of code points. */
const ONE_CELL = '20-7e a1-ac ae-2ff 370-382 400-482 2010-2027 2190-2318 2500-25fc';

const SIGNS = ONE_CELL.split(' ').flatMap((range) => {
  const [first = 0, last = 0] = range.split('-').map((hex) => Number.parseInt(hex, 16));
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));
});

test('a table keeps its columns with every character in a cell, alone or next to a second character', () => {
  const cells = SIGNS.map((sign, i) => `<${sign}${SIGNS[(i * 7) % SIGNS.length]}${sign}>`);
  const ends = cells.map(() => '|');
  const [, ...rows] = table(
    [
      { head: 'sign', cells },
      { head: 'end', cells: ends },
    ],
    80,
    terminalStyle(PLAIN),
  );
  assert.equal(rows.length, SIGNS.length);
  assert.deepEqual([...new Set(rows.map((row) => stringWidth(row)))], [8]);
});

/** As the packages do by themselves. */
function brokenByPackages(text: string, width: number): string[] {
  for (let room = width; ; room--) {
    const lines = wrapAnsi(text, room, { hard: true, trim: true }).split('\n');
    if (room === 1 || lines.every((line) => stringWidth(line) <= width)) return lines;
  }
}

test('texts of usual characters have the width and the lines that the packages for text give them', () => {
  const random = seeded(SEED);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const colours = ['1', '31', '39', '22', '0', '', '38;5;9'].map((code) => `\u001b[${code}m`);
  const parts = [
    () => ' ',
    () => oneOf(SIGNS),
    () => oneOf([...'abcdefgh']),
    () => oneOf(colours),
    () => '→',
  ];
  for (let round = 0; round < 400; round++) {
    const all = Array.from({ length: Math.floor(random() * 60) }, () => oneOf(parts)());
    const text = all.join('') + (random() < 0.05 ? '日本' : '');
    const width = 1 + Math.floor(random() * 50);
    assert.deepEqual(
      wrapped(text, width),
      brokenByPackages(text, width),
      JSON.stringify({ seed: SEED, text, width }),
    );
    assert.equal(textWidth(text), stringWidth(text), JSON.stringify({ seed: SEED, text }));
  }
});
