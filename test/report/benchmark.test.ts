import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../../src/model/documents/report.ts';
import { reportBenchmark } from '../../src/report/ci-formats.ts';
import { measurement, payload, report, run } from '../make.ts';

const namesOf = (runs: Run[]): string[] => {
  const figures: { name: string }[] = JSON.parse(reportBenchmark(report(payload('a', runs))));
  return figures.map(({ name }) => name);
};

test('two versions of one major version have their full names, and channels are named but for workers', () => {
  const runs = (['node@24.20.0', 'node@24.21.0', 'node@26.1.0', 'bun@1.4.5'] as const).map((spec) =>
    run(spec, { measurement: null, channel: spec === 'bun@1.4.5' ? 'message-port' : 'worker' }),
  );
  assert.deepEqual(namesOf(runs), [
    ...['a · node@24.20.0 · bytes', 'a · node@24.21.0 · bytes', 'a · node@26 · bytes'],
    'a · bun@1 · message-port · bytes',
  ]);
});

test('a round trip of too few samples is left out, and so is what failed', () => {
  const rare = measurement(400_000);
  const roundTrip = { ...rare.roundTrip, samples: 2, processes: 1 };
  const runs = [
    run('node@24.21.0', { measurement: { ...rare, roundTrip } }),
    run('bun@1.4.5', { status: 'failed', measurement: null, verdict: null, bytes: null }),
  ];
  assert.deepEqual(namesOf(runs), ['a · node@24 · bytes']);
});
