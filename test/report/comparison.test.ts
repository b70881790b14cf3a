import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReportComparison } from '../../src/model/documents/comparison.ts';
import type { ComparisonFormat, RenderOptions } from '../../src/model/report/render-options.ts';
import { draw as drawn } from '../../src/report/registry.ts';
import { copied, estimate, finding, payload, report, verdict } from '../make.ts';
import { compared, comparedSweeps, sweepOf } from './compare/reports.ts';
import { FROZEN } from './frozen/reports.ts';
import { PLAIN } from './render.ts';
import { READ_FORMATS } from './rendered/text.ts';

const draw = (format: ComparisonFormat, comparison: ReportComparison, options: Partial<RenderOptions> = {}) =>
  drawn(comparison, format, { ...PLAIN, ...options });

const textIn = (format: ComparisonFormat, drawn: string) =>
  format === 'terminal'
    ? drawn
    : drawn
        .replaceAll('<wbr/>', '')
        .replace(/<script[\s\S]*<\/script>|<[^>]*>/g, ' ')
        .replace(/&#36;/g, '$');

/** What a reader must find, whatever the format. */
const before = FROZEN['three-runtimes']!;
const bunRun = before.payloads[0]!.runs.find(({ runtime }) => runtime.name === 'bun')!;
const now = report(
  payload('orders', [
    {
      ...bunRun,
      verdict: verdict({ class: 'in-memory', path: 'dense-array' }),
      findings: [finding('jsc/nested-value', '$.added', { count: 1200 })],
      bytes: copied(10_622),
      trials: bunRun.trials.map((one) => ({ ...one, withConversion: { ratio: 0.21, ci: [0.2, 0.22] } })),
      advice: { action: 'nothing', remedy: null, path: null, gain: null, code: null },
      measurement: {
        ...bunRun.measurement!,
        roundTrip: { ...bunRun.measurement!.roundTrip, median: 536_000 },
      },
    },
  ]),
);

const SAID: [what: string, says: RegExp][] = [
  ['how many changed', /1 of 1 run changed; 2 in one report only/],
  ['class and path', /serialized → in-memory[\s\S]*serializer → dense-array/],
  ['what came', /came[\s\S]*\$\.added[\s\S]*object inside an object 1,200×/i],
  ['what went', /went[\s\S]*\$\.rows\[\*\]\.geo/i],
  ['bytes', /5\.31 kB copied → 10\.6 kB copied/],
  ['advice', /json-text: 2\.9x faster → no rewrite/],
  [
    'shares with intervals',
    /json-text[\s\S]*0\.34[\s\S]*0\.33–0\.35[\s\S]*0\.21[\s\S]*0\.20–0\.22[\s\S]*takes less/,
  ],
  ['both times', /412 µs (?:\||&#124;) 536 µs/],
  ['that times do not compare', /Round trips of two runs are not comparable/],
];

describe('each format says what changed', async () => {
  for (const format of READ_FORMATS) {
    const text = textIn(format, draw(format, compared(before, now), { columns: 140 }));
    for (const [what, says] of SAID) test(`${format}: ${what}`, () => assert.match(text, says));
  }
});

describe('each format says what changed from sweep to sweep', async () => {
  const shares = { 10: estimate(1.5), 1000: estimate(0.8) };
  const comparison = comparedSweeps(
    sweepOf(['node', '24.0.0'], shares, [{ size: 30, ci: [28, 32] }]),
    sweepOf(['node', '26.0.0'], { ...shares, 1000: estimate(0.4) }, [{ size: 45.5, ci: [40, 50] }]),
  );
  for (const format of READ_FORMATS) {
    const text = textIn(format, draw(format, comparison, { columns: 140 }));
    test(format, () => {
      assert.match(text, /1 of 1 strategy changed/);
      assert.match(text, /json-text\s+for\s+rows\s+on node 24\.0\.0 → 26\.0\.0/);
      assert.match(text, /30\.0 \(28\.0–32\.0\) → 45\.5 \(40\.0–50\.0\) items/);
      assert.match(text, /1,000[\s|]+0\.80 \(0\.78–0\.82\)[\s|]+0\.40 \(0\.39–0\.41\)[\s|]+.?\s?takes less/);
      assert.match(text, /10[\s|]+1\.50 \(.*\)[\s|]+1\.50 \(.*\)[\s|]+.?\s?no change shown/);
    });
  }
});
