/** The rules of browsers: tables.md has what was measured. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { row, rowsIn } from '../make.ts';
import { run, tableOf } from './classify/classified.ts';

const seen = ({ verdict, findings }: ReturnType<typeof run>): string[] => [
  `${verdict.path} ${verdict.class}`,
  ...findings.filter(({ rule }) => !rule.startsWith('spec/')).map(({ rule, path }) => `${rule} ${path}`),
  ...verdict.unknowns.map(
    ({ what, path, otherwise }) => `? ${what} ${path} else ${otherwise?.class} ${otherwise?.rule}`,
  ),
];

for (const [where = '', facts = '', expected] of tableOf('browsers'))
  test(`${where}: ${facts}`, () => assert.equal(seen(run(where, rowsIn(facts))).join(', '), expected));

test('a port is moved', () => {
  const port = row('$', 'platform', ['transferable'], { tag: 'MessagePort' });
  assert.deepEqual(seen(run('firefox@153 message-port transferring', [port])), ['serializer moved']);
});
