/** "Proven" is said of intervals that prove something. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RatioEstimate } from '../../src/model/documents/measurement.ts';
import { rewriteFolds } from '../../src/report/print/rewrites.ts';
import { advice, run, trial } from '../make.ts';
import { itemTexts } from './node-texts.ts';

const KNOWN: RatioEstimate = { ratio: 1.3, ci: [1.2, 1.4], samples: 40, processes: 3 };
/** Slower, and nobody knows how much. */
const FEW: RatioEstimate = { ratio: 6, ci: [1.1, 40], samples: 3, processes: 2 };

/** The rewrites of a run. */
const ROWS: [what: string, timed: RatioEstimate[], said: string][] = [
  ['all intervals say something', [KNOWN], 'Proven: no rewrite tried saves anything.'],
  ['one was dropped after a few samples', [KNOWN, FEW], 'Proven: no rewrite tried saves anything.'],
  ['all have too few samples', [FEW, FEW], 'No rewrite tried saves anything.'],
];

for (const [what, estimates, said] of ROWS) {
  test(`proven: ${what}`, () => {
    const trials = estimates.map((withConversion, i) =>
      trial(`rewrite-${i}`, withConversion.ratio, { withConversion, inPlace: null, outcome: 'slower' }),
    );
    const measured = run('node@24.1.0', { trials, advice: advice('nothing', { bound: 1 }) });
    assert.ok(itemTexts(rewriteFolds('a', [measured])).includes(said));
  });
}
