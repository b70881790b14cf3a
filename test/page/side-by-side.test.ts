import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../src/library/classify.ts';
import type { Run } from '../../src/model/documents/report.ts';
import { runtimesWithWorkers } from '../../src/model/names.ts';
import { differenceSentences } from '../../src/page/start.ts';

const runsOf = (value: unknown): Run[] =>
  runtimesWithWorkers().map((name) => {
    const { verdict, findings, shape, runtime } = classify(value, { runtime: `${name}@latest` });
    const known = { runtime: { ...runtime, name }, channel: 'worker', status: 'classified' } as const;
    const unknown = { error: null, measurement: null, trials: [], advice: null };
    return { ...known, ...unknown, shape, verdict, findings };
  });

const ROWS: [what: string, value: unknown, says: string][] = [
  [
    'records in records',
    { a: { b: [1] } },
    'All engines do the same: written out and read back, value by value.',
  ],
  ['a function', { a: () => 1 }, 'All engines do the same: cannot be cloned.'],
  [
    'a flat object',
    { a: 1, b: 'x' },
    'Bun: copied in memory, without the serializer. Node, Deno, Chromium, Firefox and WebKit: written out and read back, value by value.',
  ],
];

for (const [what, value, says] of ROWS) {
  test(`${what}: differences between engines come first, in a sentence`, () =>
    assert.equal(differenceSentences(runsOf(value)), says));
}
