/** "Proven" is said of intervals that prove something. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RatioEstimate } from '../../src/model/documents/measurement.ts';
import { nothingSentences } from '../../src/reporters/section/advice/advice.ts';
import { advice, run, trial } from '../make.ts';

const KNOWN: RatioEstimate = { ratio: 1.3, ci: [1.2, 1.4], samples: 40, processes: 3 };
/** Slower, and nobody knows how much. */
const FEW: RatioEstimate = { ratio: 6, ci: [1.1, 40], samples: 3, processes: 2 };

/** Of the rewrites on each runtime. */
const ROWS: [what: string, timed: RatioEstimate[][], said: string][] = [
  ['all intervals say something', [[KNOWN]], 'Proven: no rewrite tried saves anything.'],
  ['one was dropped after a few samples', [[KNOWN, FEW]], 'Proven: no rewrite tried saves anything.'],
  ['all have too few samples', [[FEW, FEW]], 'No rewrite tried saves anything.'],
  ['all of one runtime have too few samples', [[KNOWN], [FEW, FEW]], 'No rewrite tried saves anything.'],
];

for (const [what, timed, said] of ROWS) {
  test(`proven: ${what}`, () => {
    const runs = timed.map((estimates, at) => {
      const trials = estimates.map((withConversion, i) =>
        trial(`rewrite-${i}`, withConversion.ratio, { withConversion, inPlace: null, outcome: 'slower' }),
      );
      return run(`node@${24 + at}.1.0`, { trials, advice: advice('nothing', { bound: 1 }) });
    });
    const [first] = nothingSentences(runs);
    const text = first!.map((span) => (typeof span === 'string' ? span : span.text)).join('');
    assert.ok(text.includes(`. ${said} `), text);
  });
}
