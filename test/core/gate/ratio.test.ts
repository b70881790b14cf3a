import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeMemoryRatio, judgeRatio } from '../../../src/core/gate/ratio.ts';
import type { RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { MemoryUse } from '../../../src/model/wire/wire.ts';

const RATIOS: {
  ratio: number;
  ci: [number, number];
  samples?: number;
  processes?: number;
  outcome: string;
}[] = [
  { ratio: 1, ci: [0.95, 1.05], outcome: 'passed' },
  { ratio: 1.05, ci: [1, 1.1], outcome: 'passed' },
  { ratio: 1.05, ci: [1, 1.11], outcome: 'unsure' },
  { ratio: 1.3, ci: [1.09, 1.5], outcome: 'unsure' },
  { ratio: 1.3, ci: [1.11, 1.5], outcome: 'failed' },
  { ratio: 1.3, ci: [1.11, 1.5], processes: 2, outcome: 'unsure' },
  { ratio: 1.3, ci: [1.11, 1.5], samples: 2, processes: 3, outcome: 'unsure' },
  { ratio: 0.5, ci: [0.4, 0.6], outcome: 'passed' },
  { ratio: 0.5, ci: [0.4, 0.6], samples: 1, processes: 1, outcome: 'unsure' },
];

for (const { ratio, ci, samples = 300, processes = 5, outcome } of RATIOS) {
  test(`time ${ratio} in ${ci.join('..')} of ${samples} in ${processes}, limit +10 %: ${outcome}`, () => {
    assert.equal(judgeRatio({ ratio, ci, samples, processes }, 1.1).outcome, outcome);
  });
}

const REASONS: [name: string, estimate: RatioEstimate, spentMs: number | null, reason: string | undefined][] =
  [
    [
      'starved',
      { ratio: 1.26, ci: [0.03, 62.9], samples: 3, processes: 3 },
      5000,
      'too few samples: 3; -b 20s',
    ],
    [
      'one message',
      { ratio: 1.3, ci: [1.2, 1.4], samples: 1, processes: 1 },
      5000,
      'too few samples: 1; -b 1m',
    ],
    [
      'too few processes',
      { ratio: 1.3, ci: [1.2, 1.4], samples: 300, processes: 2 },
      5000,
      'too few processes: 2; a longer --budget takes more',
    ],
    [
      'undecided',
      { ratio: 1.1, ci: [1, 1.2], samples: 300, processes: 5 },
      5000,
      'the limit is within the interval: in this time growth from 10 % on can be detected; a longer --budget narrows it',
    ],
    ['failed', { ratio: 1.3, ci: [1.2, 1.4], samples: 300, processes: 3 }, 5000, undefined],
  ];

for (const [name, estimate, spentMs, reason] of REASONS) {
  test(`why a limit of time is unsure: ${name}`, () => {
    assert.equal(judgeRatio(estimate, 1.1, spentMs).reason, reason);
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
