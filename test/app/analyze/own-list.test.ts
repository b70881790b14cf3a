import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnList } from '../../../src/app/job/prove.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';

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
