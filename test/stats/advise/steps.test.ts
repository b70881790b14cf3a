/** The order of all there is to do about a payload. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Traffic, TrafficFinding } from '../../../src/model/documents/recorded/traffic.ts';
import type { Run, Step } from '../../../src/model/documents/report.ts';
import type { TrafficRule } from '../../../src/model/vocabulary/traffic.ts';
import { stepsOf } from '../../../src/stats/advise/steps.ts';
import * as make from '../../make.ts';

const MS = 1e6;
const measured = (medianNs: number, more: Partial<Run> = {}): Run =>
  make.run('node@24.0.0', { measurement: make.measurement(medianNs), ...more });
const rewrite = (remedy: string, ratio: number) =>
  make.advice('apply', { remedy, path: '$', gain: make.estimate(ratio) });
const lossy = (path: string) =>
  make.finding('class-instance', path, { level: 'lossy', what: 'class Customer' });

function traffic(lint: Partial<Record<TrafficRule, number | null>>, totalMs = 100): Traffic {
  const { sample: _, ...posted } = make.messages();
  const findings = Object.entries(lint).map(
    ([rule, savesMs]): TrafficFinding => ({
      ...{ rule: rule as TrafficRule, count: 10, of: 20, bytes: null, ns: null },
      savesMs: savesMs ?? null,
    }),
  );
  const cost = { perMessageNs: (totalMs * MS) / posted.count, totalMs, share: 1, of: 'measured' } as const;
  return { ...posted, cost, lint: findings, values: null };
}

const said = ({ kind, path, remedy, traffic: rule, savesMs }: Step): string =>
  [kind, rule ?? remedy, path, savesMs === null ? null : `${Math.round(savesMs)} ms`]
    .filter((word) => word != null)
    .join(' ');

const AT_SAVE = { rule: 'function', path: '$.save', count: 1, example: '$.save' };
const NO_CLONE = { advice: make.advice('not-the-clone') };
const ROWS: [name: string, runs: Run[], posted: Traffic | undefined, steps: string[]][] = [
  ['a saving of 4 µs', [measured(8000, { advice: rewrite('json-text', 0.5) })], undefined, []],
  [
    'what is lost comes first',
    [measured(MS, { advice: rewrite('json-text', 0.5), findings: [lossy('$.customer')] })],
    undefined,
    ['lost $.customer', 'rewrite json-text $'],
  ],
  [
    'rejected, and a rewrite can be sent',
    [
      make.run('node@24.0.0', {
        verdict: make.verdict({
          ...{ class: 'rejected', path: 'rejected' },
          blockers: [AT_SAVE, { ...AT_SAVE, rule: 'nested', path: '$' }],
        }),
        findings: [
          { ...AT_SAVE, level: 'rejected' },
          { ...AT_SAVE, rule: 'nested', path: '$', level: 'slow' },
        ],
        advice: make.advice('apply', { remedy: 'plain', path: '$' }),
      }),
    ],
    undefined,
    ['rejected $.save', 'rewrite plain $'],
  ],
  [
    'the same object again saves more than a rewrite of it',
    [measured(MS, { advice: rewrite('json-text', 0.5) })],
    traffic({ 'mostly-same': 90 }),
    ['traffic mostly-same 90 ms', 'rewrite json-text $ 50 ms'],
  ],
  ['tiny messages', [measured(20_000, NO_CLONE)], traffic({ chatty: 80 }), ['traffic chatty 80 ms', 'fewer']],
  [
    'a queue that grows comes after what saves',
    [measured(MS, { advice: rewrite('json-text', 0.5) })],
    traffic({ 'queue-grows': null }),
    ['rewrite json-text $ 50 ms', 'traffic queue-grows'],
  ],
  ['a saving of 2 % of what the site costs', [measured(MS)], traffic({ 'same-content': 2 }), []],
];

for (const [name, runs, posted, steps] of ROWS)
  test(`steps: ${name}`, () => {
    const all = stepsOf({ runs, ...(posted && { traffic: posted }) });
    assert.deepEqual(all.map(said), steps);
  });

test('a step names the runtimes that it holds for, and its largest saving', () => {
  const bun = {
    ...measured(4 * MS, { advice: rewrite('json-text', 0.5) }),
    runtime: make.runtime('bun@1.4.5'),
  };
  const [step] = stepsOf({ runs: [measured(MS, { advice: rewrite('json-text', 0.5) }), bun] });
  assert.deepEqual([step?.runtimes, step?.savesNs], [['node@24.0.0', 'bun@1.4.5'], 2 * MS]);
});

test('a step of a loss says what a real post lost', () => {
  const [step] = stepsOf({ runs: [measured(MS, { findings: [{ ...lossy('$.code'), what: 'is gone' }] })] });
  assert.equal(step?.what, 'is gone');
});
