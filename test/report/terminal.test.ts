import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../src/model/documents/report.ts';
import type { RenderOptions } from '../../src/model/report/render-options.ts';
import { payloadNodes, reportFrame } from '../../src/report/print/report.ts';
import { cutNames } from '../../src/report/terminal/layout.ts';
import { terminalNodes, terminalText } from '../../src/report/terminal/nodes.ts';
import { terminalStyle } from '../../src/report/terminal/style.ts';
import { usually } from '../support/whole.ts';
import { withoutColors } from './commands.ts';
import { HOSTILE } from './frozen/hostile.ts';
import { FROZEN } from './frozen/reports.ts';
import { frozen, PLAIN, render } from './render.ts';

const WIDTHS = usually([40, 81], [41, 60, 100, 53, 47, 59, 61, 72, 80, 120, 163, 200]);
const printed = (report: Report, options: Partial<RenderOptions> = {}) =>
  render('terminal', report, { details: true, ...options });

const plain = (name: string) => printed(frozen(name));

for (const [name, report] of Object.entries(FROZEN))
  test(`${name} reads the same with colours and without`, () => {
    assert.equal(withoutColors(printed(report, { color: true })), printed(report));
  });

test('runtimes are compared fastest first', () => {
  const order = [...plain('three-runtimes').matchAll(/^ {2}(bun|node|deno) \d/gm)].map(
    ([, runtime]) => runtime,
  );
  // In the table of times: the answer has the order in which they were given.
  assert.deepEqual(order.slice(-3), ['bun', 'node', 'deno']);
});

test('runtimes of one engine with the same result share a section', () => {
  const sections = plain('twelve-runtimes').match(/^(?:▲|serialized) /gm);
  assert.equal(sections?.length, 2);
});

test('trials are sorted fastest first', () => {
  const trials = [...plain('apply').matchAll(/^ {2}(json-text|columns|flatten|plain).*?(\d\.\d\d) /gm)];
  assert.deepEqual(
    trials.map(([, remedy, ratio]) => `${remedy} ${ratio}`),
    ['json-text 0.34', 'columns 0.97', 'flatten 1.18', 'plain 2.60'],
  );
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

test('a narrow table wraps words', () => {
  const text = printed(frozen('three-runtimes'), { columns: 40 });
  assert.match(text, /deno +1\.24 ms +fewer,\n +2\.9\.6 +larger\n +messages\n/);
});

test('payload text is shown as visible escapes', () => {
  const text = plain('hostile');
  assert.ok(text.includes('\\u001b]0;owned\\u0007'));
  assert.ok(text.includes('user\\u202e}gnp.exe'));
  assert.ok(!text.includes(HOSTILE.osc));
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
