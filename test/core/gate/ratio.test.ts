import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeMemoryRatio } from '../../../src/core/gate/memory-ratio.ts';
import { judgeRatio } from '../../../src/core/gate/ratio.ts';
import type { MemoryUse } from '../../../src/model/wire/wire.ts';

const RATIOS: { ratio: number; ci: [number, number]; processes?: number; outcome: string }[] = [
  { ratio: 1, ci: [0.95, 1.05], outcome: 'passed' },
  { ratio: 1.05, ci: [1, 1.1], outcome: 'passed' },
  { ratio: 1.05, ci: [1, 1.11], outcome: 'unsure' },
  { ratio: 1.3, ci: [1.09, 1.5], outcome: 'unsure' },
  { ratio: 1.3, ci: [1.11, 1.5], outcome: 'failed' },
  { ratio: 1.3, ci: [1.11, 1.5], processes: 2, outcome: 'unsure' },
  { ratio: 0.5, ci: [0.4, 0.6], outcome: 'passed' },
];

for (const { ratio, ci, processes = 5, outcome } of RATIOS) {
  test(`time ${ratio} in ${ci.join('..')} of ${processes} processes, limit +10 %: ${outcome}`, () => {
    assert.equal(judgeRatio({ ratio, ci }, 1.1, processes).outcome, outcome);
  });
}

const memoryOf = (...perMessage: number[]): MemoryUse[] =>
  perMessage.map((bytes) => {
    return { type: 'memory-use', bytes: 1000 * bytes, perMessage: bytes, messages: 1000, baselineBytes: 0 };
  });

const MEMORY: { what: string; before: number[]; now: number[]; outcome: string | undefined }[] = [
  { what: 'the same', before: [50_000, 50_100, 50_200], now: [50_000, 50_100, 50_200], outcome: 'passed' },
  {
    what: 'twice as much',
    before: [50_000, 51_000, 52_000],
    now: [100_000, 101_000, 99_000],
    outcome: 'failed',
  },
  { what: 'less', before: [50_000, 51_000, 52_000], now: [1, 2, 3], outcome: 'passed' },
  {
    what: 'too scattered',
    before: [50_000, 90_000, 51_000],
    now: [100_000, 50_000, 99_000],
    outcome: 'unsure',
  },
  { what: 'both within noise', before: [1, 2, 3], now: [500, 600, 700], outcome: 'passed' },
  { what: 'two processes only', before: [50_000, 51_000], now: [100_000, 101_000], outcome: 'unsure' },
  { what: 'none', before: [50_000], now: [], outcome: undefined },
];

for (const { what, before, now, outcome } of MEMORY) {
  test(`memory: ${what}`, () => {
    assert.equal(judgeMemoryRatio(memoryOf(...before), memoryOf(...now), 1.2)?.outcome, outcome);
  });
}
