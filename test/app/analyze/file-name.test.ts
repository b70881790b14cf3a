import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNamePart } from '../../../src/app/analyze/analyze.ts';

const ROWS: { text: string; part: RegExp }[] = [
  { text: 'orders', part: /^orders$/ },
  { text: 'orders#small', part: /^orders-small$/ },
  { text: '../../etc/passwd', part: /^etc-passwd-[0-9a-f]{8}$/ },
  { text: '.hidden', part: /^hidden-[0-9a-f]{8}$/ },
  { text: 'a\u0000\n\u001b[31m', part: /^a-31m-[0-9a-f]{8}$/ },
  { text: 'данные', part: /^payload-[0-9a-f]{8}$/ },
  { text: 'x'.repeat(500), part: /^x{100}-[0-9a-f]{8}$/ },
];

for (const { text, part } of ROWS) {
  test(`${JSON.stringify(text.slice(0, 30))} in a file name`, () => assert.match(fileNamePart(text), part));
}

test('two different names give two different file names', () => {
  const names = ['a/b', 'a\\b', 'a b', 'a-b', 'a:b'].map(fileNamePart);
  assert.equal(new Set(names).size, names.length);
});
