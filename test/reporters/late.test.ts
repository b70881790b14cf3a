import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Wait } from '../../src/model/documents/recorded/recording.ts';
import { lateStatements, latestText } from '../../src/reporters/section/recording/late.ts';
import { messages } from '../support/recordings.ts';
import { payload } from './frozen/build.ts';
import { traffic } from './frozen/recorded.ts';

const RENDER = {
  name: 'render',
  site: { user: { file: 'src/a.js', line: 12, column: 3, name: null }, library: null },
};
const TOLD = 'From the call to the listener: 80.0 ms (median of 4 messages followed), at most 212 ms.';
const waited = (more: Partial<Wait>): Wait => ({
  ...{ followed: 4, median: 80e6, max: 212e6, unready: 0, receiving: 0, listener: RENDER, total: 400e6 },
  ...more,
});

const ROWS: { what: string; wait: Partial<Wait>; told: string; line: string | null }[] = [
  {
    what: 'nothing is known',
    wait: {},
    told: 'What it did meanwhile is not known.',
    line: 'What it did meanwhile is not known.',
  },
  {
    what: 'it was in its listener',
    wait: { receiving: 396e6 },
    told: 'For 99 % of that time the receiver was busy with earlier messages, in the listener render registered at src/a.js:12.',
    line: 'For 99 % of that time the receiver was busy with earlier messages, in the listener render registered at src/a.js:12.',
  },
  {
    what: 'it did not listen for most of the time',
    wait: { unready: 340e6, receiving: 20e6, listener: { ...RENDER, name: null } },
    told: 'For 85 % of that time the receiver did not listen yet. For 5.0 % of that time the receiver was busy with earlier messages, in the listener registered at src/a.js:12. What it did in the other 10.0 % is not known.',
    line: null,
  },
  {
    what: 'it has several listeners',
    wait: { receiving: 200e6, listener: null },
    told: 'For 50 % of that time the receiver was busy with earlier messages; which of its listeners is not known. What it did in the other 50 % is not known.',
    line: 'For 50 % of that time the receiver was busy with earlier messages; which of its listeners is not known. What it did in the other 50 % is not known.',
  },
];

for (const { what, wait, told, line } of ROWS) {
  test(`late: ${what}`, () => {
    const [{ sentences = [] } = {}] = lateStatements(payload('p', []), traffic({ wait: waited(wait) }));
    const texts = sentences.map((spans) =>
      spans.map((span) => (typeof span === 'string' ? span : span.text)).join(''),
    );
    assert.equal(texts.slice(0, -1).join(' '), `${TOLD} ${told}`);
    assert.equal(texts.at(-1), 'To deserialize them is in that, and was not measured.');
    const said = latestText([messages(), messages({ wait: waited(wait) })]);
    assert.equal(said, line === null ? null : `src/pool.js:41 to worker src/resize.js: ${TOLD} ${line}`);
  });
}

test('late: what was not followed, or not late, is not told', () => {
  assert.deepEqual(lateStatements(payload('p', []), traffic()), []);
  const quick = waited({ median: 20_000, max: 90_000, total: 80_000 });
  assert.equal(lateStatements(payload('p', []), traffic({ wait: quick }))[0]!.sentences?.length, 2);
  assert.equal(latestText([messages({ wait: quick })]), null);
});
