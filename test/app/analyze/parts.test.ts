import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNamePart } from '../../../src/app/analyze/analyze.ts';
import { isOwnList } from '../../../src/app/job/prove.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';

const PARTS: { text: string; part: RegExp }[] = [
  { text: 'orders', part: /^orders$/ },
  { text: 'orders#small', part: /^orders-small$/ },
  { text: '../../etc/passwd', part: /^etc-passwd-[0-9a-f]{8}$/ },
  { text: '.hidden', part: /^hidden-[0-9a-f]{8}$/ },
  { text: 'a\u0000\n\u001b[31m', part: /^a-31m-[0-9a-f]{8}$/ },
  { text: 'данные', part: /^payload-[0-9a-f]{8}$/ },
  { text: 'x'.repeat(500), part: /^x{100}-[0-9a-f]{8}$/ },
];

for (const { text, part } of PARTS) {
  test(`${JSON.stringify(text.slice(0, 30))} in a file name`, () => assert.match(fileNamePart(text), part));
}

test('two different names give two different file names', () => {
  const names = ['a/b', 'a\\b', 'a b', 'a-b', 'a:b'].map(fileNamePart);
  assert.equal(new Set(names).size, names.length);
});

const row = (pattern: string, count: number) => ({ pattern, count }) as Facts;
const shape = { patterns: [row('$', 1), row('$.tiles[*]', 3), row('$.mask', 1)] };
const plan = (remedy: string, ...paths: string[]) => ({ remedy, plan: { path: '$', paths } });

const ROWS: [name: string, listed: number, proposal: ReturnType<typeof plan>, isOwn: boolean][] = [
  ['all are listed', 4, plan('transfer', '$.tiles[*]', '$.mask'), true],
  ['some are listed', 3, plan('transfer', '$.tiles[*]', '$.mask'), false],
  ['nothing is listed', 0, plan('transfer', '$.absent'), false],
  ['another rewrite', 4, plan('share', '$.mask'), false],
];

for (const [name, listed, proposal, isOwn] of ROWS)
  test(`a transfer list of the payload's own does not race with itself: ${name}`, () => {
    assert.equal(isOwnList(shape, proposal, listed), isOwn);
  });
