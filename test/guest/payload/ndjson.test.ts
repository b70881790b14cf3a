import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signatureOf } from '../../../src/guest/payload/line-signature.ts';
import { materialize } from '../../../src/guest/payload/materialize.ts';
import { open } from '../../../src/guest/payload/open.ts';
import { ToolError } from '../../../src/model/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'clone-prof lines '));
after(() => rmSync(folder, { recursive: true, force: true }));

function openLines(text: string) {
  const file = join(folder, 'log.ndjson');
  writeFileSync(file, text);
  const build = { form: 'ndjson', file, line: 1, offset: 0, length: 0 } as const;
  return open({
    type: 'open',
    recipe: { id: 'log', source: { file: 'log.ndjson', export: null }, build },
    exports: null,
  });
}

test('lines of one shape are one payload, represented by the line of median size', async () => {
  const lines = [3, 1, 2, 5, 4].map((n) => JSON.stringify({ a: 'x'.repeat(n * 10) }));
  lines.splice(2, 0, '', '{"b":[1,2]}', '  ');
  const { payloads, notes, failed } = await openLines(`\ufeff${lines.join('\r\n')}`);
  assert.deepEqual(
    payloads.map((p) => [p.id, p.stands]),
    [
      ['log#1', 5],
      ['log#4', 1],
    ],
  );
  assert.deepEqual(notes, []);
  assert.equal(failed, undefined);
  assert.deepEqual(await materialize(payloads[0]!), { a: 'x'.repeat(30) });
  assert.deepEqual(await materialize(payloads[1]!), { b: [1, 2] });
});

test('a malformed line does not affect the others', async () => {
  const { payloads, failed, notes } = await openLines('{"a":1}\n{"a":}\n{"a":2}\nx\ny\nz\n[\n]\n"end"');
  assert.deepEqual(
    payloads.map((p) => p.stands),
    [2, 1],
  );
  assert.deepEqual(
    failed?.map((f) => [f.id, f.code, f.facts.line, f.facts.column]),
    [
      ['log#2', 'json-malformed', 2, 6],
      ['log#4', 'json-malformed', 4, 1],
      ['log#5', 'json-malformed', 5, 1],
      ['log#6', 'json-malformed', 6, 1],
      ['log#7', 'json-malformed', 7, 2],
    ],
  );
  assert.match(notes.join(), /1 more line is malformed/);
});

test('eight shapes are payloads, the others are counted', async () => {
  const lines = Array.from({ length: 40 }, (_, i) =>
    JSON.stringify({ [`key${i % 10}`]: 1, ...(i < 10 ? {} : { more: 1 }) }),
  );
  const { payloads, notes } = await openLines(lines.join('\n'));
  assert.equal(payloads.length, 8);
  assert.ok(payloads.every((p) => p.stands === 3));
  assert.deepEqual(notes, ['16 further lines of 12 rarer shapes are not analyzed']);
});

test('of a file of unrelated lines, a bounded number of shapes is kept', async () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `{"k${i}":1}`);
  const { payloads, notes } = await openLines(lines.join('\n'));
  assert.equal(payloads.length, 8);
  assert.match(notes.join(), /2,992 further lines of at least 1,017 rarer shapes/);
});

test('a line may be longer than a read buffer', async () => {
  const long = 'é'.repeat(2_000_000);
  const { payloads } = await openLines(`[1]\n${JSON.stringify({ long })}\n[2]\n`);
  const at = payloads.find((p) => p.id === 'log#2');
  assert.deepEqual(await materialize(at!), { long });
});

test('a file of blank lines only is an empty file', async () => {
  await assert.rejects(openLines('\n \r\n\n'), (e) => e instanceof ToolError && e.code === 'file-empty');
});

test('signatures depend on keys and types, not on values', () => {
  const same: [unknown, unknown][] = [
    [
      { a: 1, b: 'x' },
      { b: 'yy', a: 2 },
    ],
    [[1, 2, 3], [4]],
    [
      [{ a: 1 }, null],
      [null, { a: 2 }],
    ],
  ];
  for (const [one, two] of same) assert.equal(signatureOf(one), signatureOf(two));
  const different: [unknown, unknown][] = [
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: null }, { a: {} }],
    [[], {}],
    ['{}', {}],
    [{ 'a:number,b': 1 }, { a: 1, b: 1 }],
  ];
  for (const [one, two] of different) assert.notEqual(signatureOf(one), signatureOf(two));
  const dictionary = (from: number) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`id${from + i}`, i]));
  assert.equal(signatureOf(dictionary(0)), signatureOf(dictionary(500)));
});
