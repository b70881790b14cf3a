import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../src/model/documents/report.ts';
import type { RenderOptions } from '../../src/model/report/formats.ts';
import { heading } from '../../src/report/nodes.ts';
import { terminalNodes } from '../../src/report/terminal/nodes.ts';
import { usually } from '../support/whole.ts';
import { frozen, PLAIN, render } from './render.ts';

const WIDTHS = usually([40, 81], [41, 60, 100, 53, 47, 59, 61, 72, 80, 120, 163, 200]);
const printed = (report: Report, options: Partial<RenderOptions> = {}) =>
  render('terminal', report, { details: true, ...options });

test('two plans of a remedy at one place say how they differ', () => {
  const rows: [one: object, other: object, RegExp, RegExp][] = [
    [
      { form: 'joined' },
      { form: 'listed' },
      /compiled \(one text\) .* 0\.50 /,
      /compiled \(texts apart\) .* 0\.97 /,
    ],
    [{ form: 'odd' }, { form: 'listed' }, /compiled \(odd\) /, /compiled \(texts apart\) /],
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

test('a heading that is as wide as the terminal is one line', () => {
  for (const length of [78, 79, 80]) {
    const text = 'x'.repeat(length);
    assert.equal(terminalNodes([heading(text)], PLAIN), `${text}\n`);
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
  assert.match(
    printedCode('a();\n'.repeat(60)),
    /The code is too long or too wide to show: -f markdown prints it\./,
  );
  for (const columns of WIDTHS) assert.ok(printedCode(short, columns).includes(`\n${short}\n`));
  const wide = `  const wide = [${'1, '.repeat(80)}];\n${short}`;
  assert.match(printedCode(wide), /The code is too long or too wide to show: -f markdown prints it\./);
  advice.module = 'export {};\n'.repeat(40);
  assert.match(printedCode(short), /The code is too long or too wide to show: --emit FILE writes it\./);
});
