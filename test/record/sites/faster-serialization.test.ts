import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OtherChannel } from '../../../src/model/documents/report.ts';
import { fasterSerialization } from '../../../src/record/analyze/recorded.ts';

type Site = Parameters<typeof fasterSerialization>[0];

const LOST = [{ rule: 'spec/json-date', path: '$.at', count: 1 }];

function site(ratio: number, totalMs: number, other: Partial<OtherChannel> = {}, to = 'child a.js'): Site {
  const ci: [number, number] = [ratio * 0.95, ratio * 1.05];
  const outcome = ratio < 0.95 ? 'faster' : ratio > 1.05 ? 'slower' : 'unsure';
  return {
    posted: { from: 'main', to, serialization: 'json' },
    cost: { perMessageNs: 1, totalMs, share: 1, of: 'measured' },
    other: {
      ...{ channel: 'ipc-advanced', outcome, kept: [], lost: [] },
      ratio: { ratio, ci, samples: 100, processes: 3 },
      ...other,
    },
  };
}
const back = (one: Site): Site => ({ ...one, posted: { ...one.posted, from: one.posted.to!, to: 'main' } });

/** What is told of the first of them. */
const ROWS: [what: string, sites: Site[], share: number | null][] = [
  ['a faster site', [site(0.4, 10)], 0.4],
  ['a slower one', [site(1.4, 10)], null],
  ['no difference', [site(1, 10)], null],
  ['messages of another child do not count', [site(0.4, 10), site(1.4, 100, {}, 'child b.js')], 0.4],
  ['the way back costs more than is saved', [site(0.4, 10), back(site(1.4, 100))], null],
  ['the way back costs less than is saved', [site(0.4, 10), back(site(1.4, 5))], 0.4],
  [
    'the way back would be refused',
    [site(0.4, 10), back(site(1, 1, { ratio: null, outcome: 'refused' }))],
    null,
  ],
  ['the way back would lose something', [site(0.4, 10), back(site(0.5, 1, { lost: LOST }))], null],
  ['what it keeps is no obstacle', [site(0.4, 10, { kept: LOST })], 0.4],
  [
    'how much is not known',
    [site(0.4, 10, { ratio: { ratio: 0.1, ci: [0.01, 0.9], samples: 4, processes: 3 } })],
    null,
  ],
  ['not timed', [{ ...site(0.4, 10), other: undefined }], null],
];

for (const [what, sites, share] of ROWS)
  test(`the serialization of a child: ${what}`, () => {
    assert.equal(fasterSerialization(sites[0]!, sites)?.share ?? null, share);
  });
