import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from '../../../src/guest/payload/materialize.ts';
import { open } from '../../../src/guest/payload/module.ts';
import { lineSignature } from '../../../src/guest/payload/text-files.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { seeded, shuffle } from '../../../src/stats/intervals/random.ts';
import '../../support/guest-platform.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { rejection } from '../../support/tool-errors.ts';
import { onlyInWhole } from '../../support/whole.ts';

const materialize = async (recipe: Recipe) => (await build(recipe)).value;

const folder = tempFolder('lines');

/** @param grownTo size in bytes: the file is filled up with zeros, which take no blocks */
function openLines(text: string | Uint8Array, worst = false, grownTo?: number) {
  const file = join(folder, 'log.ndjson');
  writeFileSync(file, text);
  if (grownTo !== undefined) truncateSync(file, grownTo);
  const build = { form: 'ndjson', file, line: 1, offset: 0, length: 0 } as const;
  return open({
    type: 'open',
    recipe: { id: 'log', source: { file: 'log.ndjson', export: null }, build },
    exports: null,
    worst,
  });
}

test('lines of one shape are one payload, represented by the line of median size', async () => {
  const lines = [3, 1, 2, 5, 4].map((n) => JSON.stringify({ a: 'x'.repeat(n * 10) }));
  lines.splice(2, 0, '', '{"b":[1,2]}', '  ');
  const { payloads, notes, failed } = await openLines(`\ufeff${lines.join('\r\n')}`);
  const stands = payloads.map((one) => `${one.id} ${one.stands}`);
  assert.deepEqual(stands, ['log#a 5', 'log#b 1']);
  assert.deepEqual(notes, []);
  assert.equal(failed, undefined);
  assert.deepEqual(await materialize(payloads[0]!), { a: 'x'.repeat(30) });
  assert.deepEqual(await materialize(payloads[1]!), { b: [1, 2] });
});

test('a malformed line does not affect the others', async () => {
  const { payloads, failed = [], notes } = await openLines('{"a":1}\n{"a":}\n{"a":2}\nx\ny\nz\n[\n]\n"end"');
  assert.equal(payloads.map(({ stands }) => stands).join(), '2,1');
  assert.ok(failed.every(({ code }) => code === 'json-malformed'));
  const places = failed.map(({ id, facts }) => `${id} ${facts.line}:${facts.column}`);
  assert.deepEqual(places, ['log#2 2:6', 'log#4 4:1', 'log#5 5:1', 'log#6 6:1', 'log#7 7:2']);
  assert.match(notes.join(), /1 more line is malformed/);
});

test('eight shapes are payloads, the others are counted', async () => {
  const lines = Array.from({ length: 40 }, (_, i) =>
    JSON.stringify({ [`key${i % 10}`]: 1, ...(i < 10 ? {} : { more: 1 }) }),
  );
  const { payloads, notes } = await openLines(lines.join('\n'));
  assert.equal(payloads.length, 8);
  assert.ok(payloads.every((p) => p.stands === 3));
  assert.deepEqual(notes, ['16 further lines of rarer shapes are not analyzed']);
});

test('the first 1,024 shapes of a file are kept: a later one is no payload, however frequent it is', async () => {
  const often = Array.from({ length: 20 }, () => '{"often":1}');
  const kept = async (unrelated: number) => {
    const lines = Array.from({ length: unrelated }, (_, i) => `{"k${i}":1}`);
    const { payloads, notes } = await openLines([...lines, ...often].join('\n'));
    return { isKept: payloads.some(({ id }) => id === 'log#often'), count: payloads.length, notes };
  };
  assert.equal((await kept(1023)).isKept, true);
  const { notes, ...rest } = await kept(3000);
  assert.deepEqual(rest, { isKept: false, count: 8 });
  assert.match(notes.join(), /3,012 further lines of rarer shapes/);
});

test('a line may be longer than a read buffer', async () => {
  const long = 'é'.repeat(2_000_000);
  const { payloads } = await openLines(`[1]\n${JSON.stringify({ long })}\n[2]\n`);
  const at = payloads.find((p) => p.id === 'log#long');
  assert.deepEqual(await materialize(at!), { long });
});

for (const [what, bytes, line] of [
  ['Latin-1', Buffer.from('{"a":"ok"}\n\n{"a":"café"}\n', 'latin1'), 3],
  ['UTF-16', Buffer.from('\ufeff{"a":1}\n', 'utf16le'), 1],
] as const) {
  test(`a file of ${what} is refused, with the line`, async () => {
    const { message } = await rejection('file-unreadable', openLines(bytes));
    assert.equal(message, `log.ndjson:${line}: cannot be read (it is not UTF-8; save it as UTF-8)`);
  });
}

test('a line that no engine can hold is refused once it is too long', { skip: onlyInWhole }, async () => {
  const { message } = await rejection('value-too-large', openLines('[1]\n', false, 600e6));
  const how = 'Write its values into several lines, or post it as bytes (--as bytes, up to 2 GiB)';
  assert.equal(message, `log.ndjson:2: larger than 512 MiB. ${how}`);
});

const NAMES: [what: string, lines: unknown[], names: string[]][] = [
  [
    'a key that tells kinds apart',
    [{ type: 'order', id: 1 }, { type: 'refund', id: 2 }, { kind: 'ping' }],
    ['order', 'refund', 'ping'],
  ],
  [
    'else the first keys by name',
    [
      { total: 1, id: 2, name: '', user: 1 },
      { b: 1, a: 1 },
    ],
    ['id+name+total', 'a+b'],
  ],
  [
    'a value that is data names nothing',
    [{ type: 'two words' }, { type: 7, id: 1 }, { type: 'x'.repeat(33), a: 1 }],
    ['type', 'id+type', 'a+type'],
  ],
  [
    'keys that are data name nothing',
    [{ 'a@example.com': 1 }, { '::error::': 1, [`${'k'.repeat(40)}`]: 2 }, {}],
    ['object', 'object~*', 'empty'],
  ],
  [
    'other values by type',
    [[1], 'text', 7, true, null, Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, 1]))],
    ['array', 'string', 'number', 'boolean', 'null', 'map'],
  ],
  [
    'of one kind, the simplest shape has the plain name',
    [{ type: 'order', geo: { lat: 1 } }, { type: 'order' }],
    ['order~*', 'order'],
  ],
];

for (const [what, lines, names] of NAMES) {
  test(`groups are named by what their lines have in common: ${what}`, async () => {
    const { payloads } = await openLines(lines.map((line) => JSON.stringify(line)).join('\n'));
    const byLine = payloads.toSorted((a, b) => a.source.line! - b.source.line!);
    assert.deepEqual(
      byLine.map(({ id }) => id.replace(/~\w+$/, '~*')),
      names.map((name) => `log#${name}`),
    );
  });
}

test('names do not depend on the order, the number or the other kinds of lines', async () => {
  const seed = Number(process.env.SEED ?? 7);
  const random = seeded(seed);
  const shapes = ['a', 'b', 'c'].flatMap((type) => [
    { type, id: 1 },
    { type, id: 1, geo: { lat: 1 } },
    { type, id: 'x', tags: [] },
    { id: 1, [type]: 1 },
  ]);
  const named = async (lines: readonly object[]) => {
    const { payloads } = await openLines(lines.map((line) => JSON.stringify(line)).join('\n'), true);
    const text = (line: number) => JSON.stringify(lines[line - 1]);
    return new Map(payloads.map(({ id, source }) => [text(source.line!), id]));
  };
  const before = await named(shapes);
  assert.equal(new Set(before.values()).size, shapes.length);
  for (let turn = 0; turn < 20; turn++) {
    const more = shapes.filter(() => random() < 0.5);
    const lines = [...shapes, ...more, { type: `new${turn}`, at: 1 }];
    shuffle(lines, random);
    const after = await named(lines);
    for (const [shape, id] of before) assert.equal(after.get(shape), id, `seed ${seed}`);
  }
});

test('for a gate every kind counts, each by its largest line', async () => {
  const lines = Array.from({ length: 40 }, (_, i) => ({ [`k${i % 20}`]: 'x'.repeat(i) }));
  const { payloads, notes } = await openLines(lines.map((line) => JSON.stringify(line)).join('\n'), true);
  assert.deepEqual(
    payloads.map(({ source }) => source.line).sort(),
    Array.from({ length: 20 }, (_, i) => i + 21),
  );
  assert.deepEqual(notes, []);
});

test('a file of blank lines only is an empty file', async () => {
  await rejection('file-empty', openLines('\n \r\n\n'));
});

test('signatures depend on keys and types, not on values', () => {
  const signatures = (one: string, two: string) => [one, two].map((text) => lineSignature(JSON.parse(text)));
  const same: [string, string][] = [
    ['{"a":1,"b":"x"}', '{"b":"yy","a":2}'],
    ['[1,2,3]', '[4]'],
    ['[{"a":1},null]', '[null,{"a":2}]'],
  ];
  for (const pair of same) assert.equal(new Set(signatures(...pair)).size, 1, pair.join());
  const different: [string, string][] = [
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":1}', '{"a":1,"b":1}'],
    ['{"a":null}', '{"a":{}}'],
    ['[]', '{}'],
    ['"{}"', '{}'],
    ['{"a:number,b":1}', '{"a":1,"b":1}'],
  ];
  for (const pair of different) assert.equal(new Set(signatures(...pair)).size, 2, pair.join());
  const dictionary = (from: number) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`id${from + i}`, i]));
  assert.equal(lineSignature(dictionary(0)), lineSignature(dictionary(500)));
});
