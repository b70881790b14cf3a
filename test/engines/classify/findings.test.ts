import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../src/model/documents/classification.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import type { Flag } from '../../../src/model/vocabulary/shape.ts';
import { row, rowsIn, shapeOf } from '../../make.ts';
import { classified, run, tableOf } from './classified.ts';

test('one finding per rule and pattern: counts and bytes are sums, the example is the first', () => {
  const view = (count: number, flags: Facts['flags'], example: string) =>
    row('$[*]', 'typedarray', ['view-of-larger', ...flags], {
      count,
      example,
      tag: 'Float64Array',
      bytes: { total: 80 * count, max: 80, backing: 8000 * count },
    });
  const { findings } = run('node@24.21.0', [
    row('$', 'array', ['packed-elements']),
    view(2, [], '$[0]'),
    view(3, ['resizable'], '$[7]'),
  ]);
  assert.deepEqual(findings, [
    {
      rule: 'spec/view-of-larger',
      level: 'slow',
      path: '$[*]',
      count: 5,
      example: '$[0]',
      what: 'Float64Array',
      bytes: { meant: 400, copied: 40_000 },
    },
  ] satisfies Finding[]);
});

test('a value that several rows of one rule are about is counted once', () => {
  const url = row('$.at', 'not-cloneable', [], { tag: 'URL', count: 3 });
  const { findings } = run('node@20.20.2 storage', [row('$', 'object'), url]);
  assert.deepEqual(
    findings.map(({ rule, count }) => `${rule} ${count}`),
    ['v8/platform-emptied 3'],
  );
});

test('findings come worst first', () => {
  const { findings } = run('bun@1.4.5', [
    row('$', 'object', ['class-instance'], { tag: 'Job' }),
    row('$.pattern', 'regexp'),
    row('$.done', 'function'),
    row('$.task', 'object'),
  ]);
  assert.deepEqual(
    findings.map((f) => `${f.level} ${f.rule} ${f.path} ${f.what}`),
    [
      'rejected spec/function $.done function',
      'slow jsc/nested-value $.pattern RegExp',
      'slow jsc/nested-value $.task object',
      'lossy spec/class-instance $ class Job',
      'note spec/regexp $.pattern RegExp',
    ],
  );
});

for (const [where, facts, rule, isTold] of [
  ['chromium@156', '$ sharedarraybuffer wasm-memory non-extensible', 'spec/frozen', false],
  ['chromium@156', '$ typedarray wasm-memory non-extensible', 'spec/frozen', true],
  ['webkit@2.50', '$ error has-cause', 'spec/error-cause', false],
  ['workerd@1.20260420.0 structured-clone', '$ error extra-props', 'spec/error-props', true],
  ['workerd@1.20260421.0 structured-clone', '$ error extra-props', 'spec/error-props', false],
] as const)
  test(`${where}: ${facts}: ${rule} is ${isTold ? '' : 'not '}told`, () => {
    const { findings } = run(where, rowsIn(facts));
    assert.equal(
      findings.some((one) => one.rule === rule),
      isTold,
    );
  });

const asked = (runtime: string, patterns: Facts[]) =>
  run(runtime, patterns).verdict.unknowns.map(({ what, path, count }) => `${what} ${path} ${count}`);

for (const [runtime = '', facts = '', unknowns] of tableOf('unknowns'))
  test(`unknown on ${runtime}: ${facts}`, () =>
    assert.equal(asked(runtime, rowsIn(facts)).join(', '), unknowns));

test('the width of a string that was not queried is unknown if it may matter', () => {
  const text = (units: number, count: number, ...flags: Flag[]) => [
    row('$', 'array', ['packed-elements']),
    row('$[*]', 'string', flags, { count, size: { min: 1, max: units, total: units * count } }),
  ];
  assert.deepEqual(asked('node@20.20.2', text(64, 1)), ['string-width $[*] 1']);
  assert.deepEqual(asked('node@20.20.2', text(10, 1000)), ['string-width $[*] 1000']);
  assert.deepEqual(asked('node@20.20.2', text(63, 999)), []);
  assert.deepEqual(asked('node@20.20.2', text(5000, 5000, 'one-byte')), []);
});

test('what a bounded walk left out is unknown; patterns that it folded lose nothing', () => {
  const unknown = (truncated: Partial<Shape['truncated']>) => {
    const shape = shapeOf('v8', row('$', 'array', ['packed-elements']));
    Object.assign(shape.truncated, truncated);
    return classified('node@24.21.0', shape).verdict.unknowns.map(({ what }) => what);
  };
  assert.deepEqual(unknown({ items: true }), ['patterns-left-out']);
  assert.deepEqual(unknown({ patterns: true, depth: true }), []);
});
