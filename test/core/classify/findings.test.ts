import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../../src/core/classify/classify.ts';
import { ENGINES, STANDARD } from '../../../src/engines/index.ts';
import type { Finding } from '../../../src/model/documents/classification.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import type { Flag } from '../../../src/model/vocabulary/shape.ts';
import { row, shapeOf } from '../../make.ts';
import { ints, rowsOf, run } from './classified.ts';

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
      rule: 'v8/view-of-larger',
      level: 'slow',
      path: '$[*]',
      count: 5,
      example: '$[0]',
      what: 'Float64Array',
      bytes: { meant: 400, copied: 40_000 },
    },
  ] satisfies Finding[]);
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

const asked = (runtime: string, patterns: Facts[]) =>
  run(runtime, patterns).verdict.unknowns.map(({ what, path, count }) => `${what} ${path} ${count}`);

test('unknown facts are listed, and only where the verdict depends on them', () => {
  const history: Flag[] = ['history-unknown'];
  const flat = rowsOf().map((one) => (one.pattern === '$[*]' ? { ...one, flags: history } : one));
  assert.deepEqual(asked('bun@1.4.5', flat), ['delete-history $[*] 3']);
  assert.deepEqual(asked('bun@1.4.5', rowsOf()), []);
  assert.deepEqual(asked('bun@1.4.5', [...flat, row('$[*].geo', 'object')]), ['delete-history $[*] 3']);
  assert.deepEqual(asked('bun@1.3.9', [...flat, row('$[*].geo', 'object')]), []);
  const frozen = row('$', 'object', [...history, 'non-extensible', 'sealed', 'frozen']);
  assert.deepEqual(asked('bun@1.4.5', [frozen, row('$.geo', 'object')]), []);
  assert.deepEqual(asked('node@24.21.0', ints('packed-smi')), []);
  assert.deepEqual(asked('node@24.21.0', ints()), ['elements-kind $ 1']);
});

test('array storage that was assumed is unknown, once for the array', () => {
  assert.deepEqual(asked('bun@1.4.5', ints('int32-storage', 'storage-unknown')), ['array-storage $ 1']);
  assert.deepEqual(asked('bun@1.4.5', ints('int32-storage')), []);
  assert.deepEqual(asked('bun@1.3.9', ints('int32-storage', 'storage-unknown')), []);
  const empty = row('$', 'array', ['empty', 'undecided', 'storage-unknown']);
  assert.deepEqual(asked('bun@1.4.5', [empty]), ['array-storage $ 1']);
});

test('the width of a string that was not queried is unknown where it may matter', () => {
  const text = (units: number, count: number, ...flags: Flag[]) => [
    row('$', 'array', ['packed-elements']),
    row('$[*]', 'string', flags, { count, size: { min: 1, max: units, total: units * count } }),
  ];
  assert.deepEqual(asked('node@20.20.2', text(64, 1)), ['string-width $[*] 1']);
  assert.deepEqual(asked('node@20.20.2', text(10, 1000)), ['string-width $[*] 1000']);
  assert.deepEqual(asked('node@20.20.2', text(63, 999)), []);
  assert.deepEqual(asked('node@20.20.2', text(5000, 5000, 'one-byte')), []);
});

/** Flags of the root, what the walk cut, and the resulting unknowns. Folded patterns lose nothing. */
const BOUNDED: [Flag[], Partial<Shape['truncated']>, string[]][] = [
  [['packed-elements', 'too-many-items'], { items: true }, ['items-left-out']],
  [['packed-elements'], { items: true }, ['patterns-left-out']],
  [['packed-elements'], { patterns: true, depth: true }, []],
];

for (const [flags, truncated, unknown] of BOUNDED) {
  test(`truncated by a bounded walk: ${Object.keys(truncated)} of ${flags}`, () => {
    const shape = shapeOf('v8', row('$', 'array', flags));
    Object.assign(shape.truncated, truncated);
    const { verdict } = classify(shape, ENGINES.v8, STANDARD, {
      runtime: { name: 'node', version: '24.21.0', engine: 'v8' },
      channel: 'worker',
    });
    assert.deepEqual(
      verdict.unknowns.map(({ what }) => what),
      unknown,
    );
  });
}
