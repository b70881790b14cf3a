/** What a rewrite must gain for its code, for what it costs, and against a simpler one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { Trial } from '../../../src/model/documents/trial.ts';
import type { AdviceFacts } from '../../../src/stats/advise/advise.ts';
import { adviceOn, FASTER, measurement, OPEN, of, ratio, trial } from './advice-of.ts';

test('a rewrite that saves less than 20 µs a message is never advised', () => {
  const rows: [medianNs: number, trials: Trial[], action: string, available: string | undefined][] = [
    [39_000, [trial('json-text', FASTER)], 'nothing', 'json-text'],
    [41_000, [trial('json-text', FASTER)], 'apply', undefined],
    [15_000, [trial('json-text', OPEN)], 'nothing', undefined],
    [41_000, [trial('json-text', ratio(0.45, 0.6, 1.2))], 'unsure', undefined],
  ];
  for (const [medianNs, trials, action, available] of rows) {
    const advice = adviceOn(trials, { measurement: measurement(medianNs, 1000) });
    assert.deepEqual([advice?.action, advice?.available?.remedy], [action, available], `${medianNs} ns`);
  }
});

test('a less simple rewrite is advised if it is 1.3 times as fast and saves 50 µs more; others are alternatives', () => {
  const json = of('json-text', 0.58, 0.6, 0.62);
  const rows: [name: string, medianNs: number, compiled: Trial, advised: string, beside: string[]][] = [
    ['1.2 times as fast', 1e6, of('compiled', 0.49, 0.5, 0.51), 'json-text', ['compiled']],
    ['1.5 times as fast', 1e6, of('compiled', 0.39, 0.4, 0.41), 'compiled', ['json-text']],
    ['1.5 times as fast, of 200 µs', 2e5, of('compiled', 0.39, 0.4, 0.41), 'json-text', ['compiled']],
    ['slower', 1e6, of('compiled', 0.69, 0.7, 0.71), 'json-text', []],
  ];
  for (const [name, medianNs, compiled, advised, beside] of rows) {
    const advice = adviceOn([json, compiled], { measurement: measurement(medianNs, 1000) });
    const names = (advice?.alternatives ?? []).map(({ remedy }) => remedy);
    assert.deepEqual([advice?.remedy, names], [advised, beside], name);
  }
});

test('a small gain at a cost is available, not advised', () => {
  const costs = ['the sender loses the buffers'];
  const rows: [gain: RatioEstimate, action: string][] = [
    [ratio(0.88, 0.91, 0.94), 'nothing'],
    [ratio(0.7, 0.8, 0.84), 'apply'],
  ];
  for (const [gain, action] of rows) {
    const advice = adviceOn([trial('transfer', gain, { outcome: 'faster' })]);
    assert.deepEqual([advice?.action, advice?.costs], [action, action === 'apply' ? costs : undefined]);
    const told = { remedy: 'transfer', path: '$', gain, lines: 2, costs };
    assert.deepEqual(advice?.available, action === 'apply' ? undefined : told);
  }
  const free = adviceOn([trial('json-text', ratio(0.88, 0.91, 0.94), { outcome: 'faster' })]);
  assert.equal(free?.action, 'apply', 'without a cost');
});

test('a small gain through many lines is available, not advised', () => {
  const long = (remedy: string) => ({
    sender: `${'\n// a line\n'.repeat(remedy === 'compiled' ? 80 : 1)}`,
    receiver: 'x\n\ny',
  });
  const compiled = of('compiled', 0.88, 0.91, 0.94);
  const told = { remedy: 'compiled', path: '$', gain: compiled.withConversion, lines: 82 };
  const rows: [name: string, trials: Trial[], over: Partial<AdviceFacts>, action: string, left: unknown][] = [
    ['alone', [compiled], {}, 'nothing', told],
    ['beside an open one that may gain more', [compiled, trial('json-text', OPEN)], {}, 'unsure', told],
    ['beside one not worth them', [compiled, trial('compiled', ratio(0.86, 1, 1.1))], {}, 'nothing', told],
    ['beside a simple one', [compiled, of('json-text', 0.9, 0.93, 0.96)], {}, 'apply', undefined],
    [
      'dropped behind it, and simple',
      [compiled, { ...of('json-text', 0.9, 0.93, 0.96), outcome: 'dropped' }],
      {},
      'apply',
      undefined,
    ],
    [
      'dropped behind one that gains enough',
      [{ ...of('json-text', 0.4, 0.6, 0.9), outcome: 'dropped' }, of('compiled', 0.4, 0.5, 0.6)],
      {},
      'apply',
      undefined,
    ],
    ['gains enough for a file of its own', [of('compiled', 0.7, 0.74, 0.78)], {}, 'apply', undefined],
    [
      'gains enough for some lines, not for so many',
      [{ ...compiled, withConversion: ratio(0.7, 0.84, 0.9) }],
      {},
      'nothing',
      { ...told, gain: ratio(0.7, 0.84, 0.9) },
    ],
    ['near the floor', [compiled], { measurement: measurement(1_400_000, 1_000_000) }, 'not-the-clone', told],
  ];
  for (const [name, trials, over, action, available] of rows) {
    const advice = adviceOn(trials, { codeOf: long, ...over });
    assert.deepEqual([advice?.action, advice?.available], [action, available], name);
    if (action === 'apply') assert.equal(advice?.remedy, trials.at(-1)?.remedy, name);
  }
});
