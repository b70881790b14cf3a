/** Values of payloads, and the sequences of them, built in this process. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, buildSequence, nextIn } from '../../../src/guest/payload/materialize.ts';
import { loadModule, open } from '../../../src/guest/payload/module.ts';
import { findJsonError } from '../../../src/guest/payload/text-files.ts';
import { prove } from '../../../src/guest/prove/prove-rewrites.ts';
import type { ErrorCode } from '../../../src/model/errors.ts';
import type { Recipe, RecipeForm } from '../../../src/model/report/recipe.ts';
import '../../support/guest-platform.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { rejection } from '../../support/tool-errors.ts';

const materialize = async (recipe: Recipe) => (await build(recipe)).value;

const folder = new PayloadFolder();

const recipe = (form: RecipeForm, name = 'payload'): Recipe => ({
  id: name,
  source: { file: name, export: null },
  build: form,
});

const json = (name: string, text: string | Uint8Array) =>
  recipe({ form: 'json', file: folder.file(name, text) }, name);

test('JSON is parsed, a new value each time, and never executed', async () => {
  const it = json('a.json', '{"__proto__":{"x":1},"toJSON":1,"n":-0}');
  const [one, two] = [await build(it), await build(it)];
  assert.notEqual(one.value, two.value);
  assert.equal(one.how, 'parsed');
  assert.deepEqual(Object.keys(one.value as object), ['__proto__', 'toJSON', 'n']);
  assert.equal(Object.getPrototypeOf(one.value), Object.prototype);
  await rejection('json-malformed', build(json('code.json', 'globalThis.ran = 1')));
  assert.equal('ran' in globalThis, false);
});

test('bytes that are not UTF-8 are an error, not another text', async () => {
  const latin = folder.file('latin.txt', Uint8Array.of(0x67, 0x72, 0xfc, 0xdf));
  const saying = /latin\.txt: cannot be read \(it is not UTF-8; save it as UTF-8\)/;
  const error = await rejection('file-unreadable', build(recipe({ form: 'text', file: latin }, 'latin.txt')));
  assert.match(error.message, saying);
  await rejection('file-unreadable', build(recipe({ form: 'json', file: latin }, 'latin.txt')));
  const own = recipe({ form: 'text', file: folder.file('own.txt', 'a \ufffd of its own') });
  assert.equal(await materialize(own), 'a \ufffd of its own');
});

test('an empty file and UTF-16 are no JSON', async () => {
  await rejection('file-empty', build(json('empty.json', ' \n')));
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"a":1}', 'utf16le')]);
  assert.match((await rejection('file-unreadable', build(json('utf16.json', utf16)))).message, /not UTF-8/);
});

test('bytes are in a buffer of exactly their size', async () => {
  for (const size of [0, 1, 3000, 5000, 100_000]) {
    const file = folder.file(`bytes${size}`, new Uint8Array(size).fill(9));
    const value = await materialize(recipe({ form: 'bytes', file }));
    assert.ok(value instanceof Uint8Array);
    assert.equal(Object.getPrototypeOf(value), Uint8Array.prototype);
    assert.equal(value.byteLength, size);
    assert.equal(value.buffer.byteLength, size);
    assert.ok(value.every((byte) => byte === 9));
  }
});

test('an export may be the default one, a factory that waits, or undefined; an absent one is an error', async () => {
  const text =
    'export async function awaited() { return 3; } export default 7; export const gone = undefined;';
  const pick = (name: string) => folder.module('kinds.mjs', text, name);
  assert.equal(await materialize(pick('awaited')), 3);
  assert.equal(await materialize(pick('default')), 7);
  assert.equal(await materialize(pick('gone')), undefined);
  assert.deepEqual(
    await materialize(folder.module('whole.cjs', 'module.exports = [1, 2]', 'default')),
    [1, 2],
  );
  const error = await rejection('export-missing', build(pick('nope')));
  assert.deepEqual(error.facts.names, ['awaited', 'default', 'gone']);
});

test('a value of a module that is evaluated only once is cloned', async () => {
  folder.file('origin.mjs', 'export const value = { shared: [1] }');
  const it = folder.module('reexport.mjs', "export { value } from './origin.mjs'");
  const [live, second] = [await build(it), await build(it)];
  assert.deepEqual([live.how, second.how], ['exported', 'exported']);
  assert.deepEqual(second.value, live.value);
  assert.notEqual(second.value, live.value);
});

test('the names of exports are found once, and again when a function has added one', async () => {
  const file = folder.file('grows.cjs', 'exports.value = () => { exports.more = 1; };');
  const load = () => loadModule({ file, name: 'grows.cjs' });
  const { names, read } = await load();
  assert.equal((await load()).names, names);
  (read('value') as () => void)();
  assert.deepEqual([...(await load()).names.keys()], ['value', 'more']);
});

test('errors of user code: of the module, of the factory, and of what this runtime lacks', async () => {
  const rows: [code: ErrorCode, name: string, text: string][] = [
    ['factory-threw', 'later.mjs', 'export const value = async () => { throw null }'],
    ['module-threw', 'syntax.mjs', 'export const value = ;'],
    ['module-threw', 'absent-import.mjs', "import 'not-a-package'; export const value = 1"],
    ['module-threw', 'rejected.mjs', 'export const value = Promise.reject(new Error("no"))'],
    ['module-unsupported', 'bun.mjs', 'export const value = Bun.hash("x")'],
    ['module-unsupported', 'sqlite.mjs', "import 'bun:sqlite'; export const value = 1"],
    ['module-threw', 'common-boom.cjs', 'throw new Error("cjs")'],
  ];
  for (const [code, name, text] of rows) await rejection(code, build(folder.module(name, text)));
});

const MALFORMED: [text: string, line: number, column: number, detail: string][] = [
  ['{"a":', 1, 6, 'value expected'],
  ['[1', 1, 3, 'close bracket expected'],
  ['{"a":1,}', 1, 8, 'property name expected'],
  ['1 2', 1, 3, 'end of file expected'],
  ['1.', 1, 1, 'unexpected end of number'],
  ['"\\u12"', 1, 1, 'invalid unicode'],
  ['// no', 1, 1, 'invalid comment token'],
  ['{\n  "a": 1,\r\n  "b": x\n}', 3, 8, 'invalid symbol'],
];

test('the place where a text stops being JSON is found', () => {
  for (const [text, line, column, detail] of MALFORMED) {
    assert.throws(() => JSON.parse(text));
    assert.deepEqual(findJsonError(text), { line, column, detail });
  }
});

test('valid JSON gives no error, and JSON nested too deeply for the parser does not crash it', () => {
  assert.equal(findJsonError('{"a":[1,-2.5e+3,true,null,"x\\u00e9\\n"],"":"\\""}'), null);
  assert.equal(findJsonError('['.repeat(1_000_000)), null);
});

// Sequences.

const state = (step: number) => ({
  session: { lastSeen: step },
  items: Array.from({ length: 60 }, (_, at) => ({ id: at, name: `item number ${at}`, done: at % 3 === 0 })),
});

/** The payload of a file of lines. */
async function opened(name: string, lines: readonly unknown[]): Promise<Recipe> {
  const file = join(folder.path, name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const build = { form: 'ndjson', file, line: 0, offset: 0, length: 0 } as const;
  const recipe = { id: name, source: { file, export: null }, build };
  const { payloads } = await open({ type: 'open', recipe, exports: null });
  assert.equal(payloads.length, 1);
  return payloads[0]!;
}

const proofOf = (recipe: Recipe) => prove({ type: 'prove', recipe, remedy: 'patch', plan: { path: '$' } });

test('lines form a sequence up to the line that represents them, and a patch is proven on all of it', async () => {
  const recipe = await opened('states.ndjson', [1, 2, 3, 4, 5].map(state));
  const sequence = (await buildSequence(recipe)) as ReturnType<typeof state>[];
  assert.deepEqual(sequence, [state(1), state(2), state(3)]);
  assert.equal(new Set(sequence.map(({ items }) => items)).size, 1);
  assert.deepEqual(await proofOf(recipe), {
    ...{ type: 'proved', equality: 'equal', losses: [], reason: null },
  });
});

test('lines that are not states are refused; short lines and a single line do not form a sequence', async () => {
  const others = [1, 2, 3].map((n) => ({ text: String(n).repeat(1500), n }));
  const proof = await proofOf(await opened('others.ndjson', others));
  assert.equal(proof.equality, 'refused');
  assert.match(proof.reason ?? '', /sent whole/);
  const short = await opened('short.ndjson', [{ a: 1 }, { a: 2 }]);
  const alone = await opened('alone.ndjson', [state(1)]);
  assert.deepEqual([short.sequence, alone.sequence], [undefined, undefined]);
});

test('states made from a recorded payload keep the parts that stayed equal', async () => {
  const recipe = folder.value(`() => (${JSON.stringify(state(0))})`);
  const sequence = { equal: 0.97, paths: ['$.session.lastSeen', '$.items[*].name', '$.missing[*]'] };
  const made = (await buildSequence({ ...recipe, sequence })) as ReturnType<typeof state>[];
  assert.deepEqual(made[0], state(0));
  const changed = made
    .slice(1)
    .map((one, at) => one.items.filter(({ name }, i) => name !== made[at]!.items[i]!.name));
  assert.ok(
    changed.every(({ length }) => length > 0 && length < 10),
    changed.map(({ length }) => length).join(),
  );
  assert.equal(new Set(changed.map(([first]) => first?.id)).size, changed.length);
  const odd =
    'export const value = () => ({ at: new Date(1), map: new Map([["a", { b: 1 }]]), hole: [, 1], none: undefined, n: -0 })';
  const states = await buildSequence({
    ...folder.module('odd.mjs', odd),
    sequence: { equal: 0.9, paths: ['$.n'] },
  });
  assert.ok(states.every((one) => Object.keys(one as object).join() === 'at,map,hole,none,n'));
  assert.equal((await proofOf({ ...recipe, sequence })).equality, 'equal');
});

test('states are made of values whose objects stand at many places, or in themselves', async () => {
  const sequence = { equal: 0.9, paths: ['$.n', '$.of'] };
  const nested = folder.value(
    '() => { let of = { n: 1 }; for (let i = 0; i < 60; i++) of = { a: of, b: of }; return { of, n: 1 }; }',
  );
  const states = (await buildSequence({ ...nested, sequence })) as {
    n: number;
    of: { a: object; b: object };
  }[];
  assert.deepEqual([states.length, states[0]!.n, states.at(-1)!.n > 1], [8, 1, true]);
  assert.ok(states.every(({ of }) => of.a === of.b));
  const cyclic = folder.value(
    '() => { const of = { n: 1, list: [] }; of.list.push(of); return { of, n: 1 }; }',
  );
  const cycles = (await buildSequence({ ...cyclic, sequence })) as { of: { list: object[] } }[];
  assert.ok(cycles.every(({ of }) => of.list[0] === of));
});

test('a sequence is posted there and back', () => {
  const order = (length: number, count: number): number[] => {
    const found: number[] = [];
    for (let step = { index: 0, at: 0 }; found.length < count; found.push(step.index))
      step = nextIn(length, step.at);
    return found;
  };
  assert.deepEqual(order(4, 8), [0, 1, 2, 3, 2, 1, 0, 1]);
  assert.deepEqual(order(2, 4), [0, 1, 0, 1]);
  assert.deepEqual(order(1, 3), [0, 0, 0]);
});
