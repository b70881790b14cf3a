import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OtherChannel } from '../../src/model/documents/report.ts';
import { nodesOf } from '../../src/report/nodes.ts';
import { conditionItems } from '../../src/report/print/measured.ts';
import { estimate, run } from '../make.ts';
import { itemTexts } from './node-texts.ts';

const DATES = [{ rule: 'spec/json-date', path: '$[*].at', count: 3 }];

const told = (other: Partial<OtherChannel>): string[] => {
  const otherChannel: OtherChannel = {
    ...{ channel: 'ipc-advanced', ratio: estimate(0.4), outcome: 'faster', kept: [], lost: [] },
    ...other,
  };
  return itemTexts(conditionItems([run('node@20.20.2', { otherChannel })]));
};

const faster = "With serialization: 'advanced', for all messages of the child: 2.5x faster";

/** Beginnings of the sentences. */
const ROWS: [what: string, other: Partial<OtherChannel>, ...sentences: string[]][] = [
  ['faster', {}, faster, 'What arrives is the same.'],
  [
    'faster, and it keeps more',
    { kept: DATES },
    faster,
    'Arrives there unchanged, and not here: $[*].at (Date that arrives as text, 3×).',
  ],
  [
    'faster, and it loses something',
    { channel: 'ipc-json', lost: DATES },
    faster.replace('advanced', 'json'),
    'Lost there: $[*].at (Date that arrives as text, 3×).',
  ],
  ['slower', { ratio: estimate(1.5), outcome: 'slower' }, faster.replace('2.5x faster', '1.5x slower')],
  [
    'not decided',
    { ratio: estimate(0.99), outcome: 'unsure' },
    faster.replace('2.5x faster', 'no difference is proven (1.01x faster ('),
  ],
  [
    'too few samples',
    { ratio: { ...estimate(0.99), samples: 1 }, outcome: 'unsure' },
    faster.replace('2.5x faster', 'not decided (too few samples: 1), timed in turns.'),
  ],
  ['refused', { ratio: null, outcome: 'refused' }, "serialization: 'advanced' would refuse this message."],
  ['not timed', { ratio: null, outcome: 'unsure' }, "serialization: 'advanced' could not be timed."],
];

for (const [what, other, ...sentences] of ROWS)
  test(`the other serialization: ${what}`, () => {
    const all = told(other);
    assert.equal(all.length, sentences.length, all.join('\n'));
    for (const [at, start] of sentences.entries()) assert.ok(all[at]!.startsWith(start), all[at]);
  });

test('nothing is reported about other channels unless they were tried', () => {
  assert.deepEqual(nodesOf(conditionItems([run('node@20.20.2')])), []);
});
