import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeByLimit, judgeMemoryRatio } from '../../../src/gate/compare/limits.ts';
import type { RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { MemoryUse } from '../../../src/model/wire/wire.ts';

const of = (ratio: number, ci: [number, number], samples = 300, processes = 5): RatioEstimate => ({
  ...{ ratio, ci, samples, processes },
});
const WITHIN =
  'the limit is within the interval: in this time growth from 10 % on can be detected; a longer --budget narrows it';

/** The limit is +10 %. */
const RATIOS: [estimate: RatioEstimate, outcome: string, reason?: string][] = [
  [of(1, [0.95, 1.05]), 'passed'],
  [of(1.05, [1, 1.1]), 'passed'],
  [of(1.05, [1, 1.11]), 'unsure'],
  [of(1.1, [1, 1.2]), 'unsure', WITHIN],
  [of(1.3, [1.09, 1.5]), 'unsure'],
  [of(1.3, [1.11, 1.5]), 'failed'],
  [of(1.3, [1.11, 1.5], 300, 2), 'unsure', 'too few processes: 2; a longer --budget takes more'],
  [of(1.3, [1.11, 1.5], 2, 3), 'unsure'],
  [of(1.3, [1.2, 1.4], 300, 3), 'failed'],
  [of(1.3, [1.2, 1.4], 1, 1), 'unsure', 'too few samples: 1; a longer --budget takes more'],
  [of(1.26, [0.03, 62.9], 3, 3), 'unsure', 'too few samples: 3; a longer --budget takes more'],
  [of(0.5, [0.4, 0.6]), 'passed'],
  [of(0.5, [0.4, 0.6], 1, 1), 'unsure'],
];

for (const [estimate, outcome, reason] of RATIOS)
  test(`time: ${JSON.stringify(estimate)}: ${outcome}`, () => {
    const judged = judgeByLimit(estimate, 1.1);
    assert.equal(judged.outcome, outcome);
    assert.equal(judged.reason === undefined, outcome !== 'unsure');
    if (reason !== undefined) assert.equal(judged.reason, reason);
  });

const memoryOf = (...perMessage: number[]): MemoryUse[] =>
  perMessage.map((bytes) => {
    return { type: 'memory-use', bytes: 1000 * bytes, perMessage: bytes, messages: 1000, baselineBytes: 0 };
  });

const MEMORY: [what: string, before: number[], now: number[], outcome: string | undefined][] = [
  ['the same', [50_000, 50_100, 50_200], [50_000, 50_100, 50_200], 'passed'],
  ['twice as much', [50_000, 51_000, 52_000], [100_000, 101_000, 99_000], 'failed'],
  ['less', [50_000, 51_000, 52_000], [1, 2, 3], 'passed'],
  ['too scattered', [50_000, 90_000, 51_000], [100_000, 50_000, 99_000], 'unsure'],
  ['both within noise', [1, 2, 3], [500, 600, 700], 'passed'],
  ['two processes only', [50_000, 51_000], [100_000, 101_000], 'unsure'],
  ['none', [50_000], [], undefined],
];

for (const [what, before, now, outcome] of MEMORY)
  test(`memory: ${what}`, () => {
    assert.equal(judgeMemoryRatio(memoryOf(...before), memoryOf(...now), 1.2)?.outcome, outcome);
  });
