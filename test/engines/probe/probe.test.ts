import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import * as workerThreads from 'node:worker_threads';
import { bundleScript, runScript } from '../../support/run-script.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { Said } from './in-runtime/report.ts';

interface Report {
  by: string;
  said: Record<string, Said>;
}

const folder = tempFolder('probe');
let script: string;
before(async () => {
  script = join(folder, 'report.mjs');
  await bundleScript(join(import.meta.dirname, 'in-runtime/report.ts'), script);
});

async function reportOf(spec: RuntimeSpec, options: { denoFlags?: string[] } = {}): Promise<Report> {
  return JSON.parse(await runScript(runtime(spec), [script], options)) as Report;
}

type Expected = Record<string, string | null>;

/** The same on each of them. */
function assertCommon({ said }: Report): void {
  assert.equal(said.segmentIterator!.kind, 'iterator');
  // Reading its stack, or in Bun its keys, throws.
  assert.equal(said.symbolName!.kind, 'not-cloneable');
  const { copied } = said.smallView!.cost.bytes!;
  assert.ok(copied >= 1e6 && copied < 1e6 + 100, `${copied}`);
}

function assertPaths({ said }: Report, expected: Expected): void {
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, said[name]!.path]));
  assert.deepEqual(found, expected);
}

const BUN: Expected = {
  undefined: 'serializer',
  number: 'serializer',
  shortString: 'string-copied',
  ownString: 'string-shared',
  slice: 'string-copied',
  narrowInWide: 'string-copied',
  wideString: 'string-shared',
  emptyObject: 'simple-object',
  flatObject: 'simple-object',
  sixKeys: 'simple-object',
  nested: 'serializer',
  nullPrototype: 'simple-object',
  indexed: 'serializer',
  scarred: 'serializer',
  branded: 'serializer',
  emptyArray: 'serializer',
  ints: 'int32-array',
  doubles: 'double-array',
  nan: 'simple-array',
  texts: 'simple-array',
  boxedInts: 'simple-array',
  // 56 bytes either way, and the receiver gets the same storage: the two cannot be told apart.
  sameCost: null,
  rows: 'dense-array',
  longTexts: 'dense-array',
  scarredRows: 'serializer',
  twice: 'serializer',
  holes: 'serializer',
  frozen: 'serializer',
  cloned: 'int32-array',
  date: 'serializer',
  map: 'serializer',
  view: 'serializer',
  callback: 'rejected',
  port: 'rejected',
  throwing: 'rejected',
  proxy: 'rejected',
};

describe('Bun', { skip: missing('bun@1.4.5') }, () => {
  let report: Report;
  before(async () => {
    report = await reportOf('bun@1.4.5');
  });

  test('the path follows from what the message costs', () => {
    assert.equal(report.by, 'bun-jsc');
    assertCommon(report);
    assertPaths(report, BUN);
    assert.equal(report.said.throwing!.rejected, 'of the payload');
    assert.equal(report.said.rows!.cost.bytes!.copied, 146);
  });

  test('the cost computed without a post equals the cost of the posted message', () => {
    const known = Object.entries(report.said).flatMap(([name, { cost }]) => {
      const real = /^message (\d+) bytes/.exec(cost.evidence)?.[1];
      const told = cost.bytes && cost.bytes.copied + cost.bytes.shared;
      return real === undefined || told === null ? [] : [[name, Number(real), told] as const];
    });
    assert.ok(known.length > 20, `${known.length}`);
    assert.deepEqual(
      known.filter(([, real, told]) => real !== told),
      [],
    );
  });

  test('a refused value is reported with its path', () => assertRefused(report, REFUSED));

  test('state that reflection cannot see is found by posting', () => {
    const { said } = report;
    assert.deepEqual(said.scarred!.hidden, ['$']);
    assert.deepEqual(said.branded!.hidden, ['$']);
    assert.deepEqual(said.scarredRows!.hidden, ['$[7]', '$[300]']);
    for (const name of ['nested', 'indexed', 'twice', 'frozen', 'ints', 'emptyArray'])
      assert.deepEqual(said[name]!.hidden, [], name);
  });

  test('storage as JavaScriptCore describes it', () => {
    const { said } = report;
    const stored = (name: string) => said[name]!.flags.join(' ');
    assert.match(stored('slice'), /one-byte .*substring/);
    assert.doesNotMatch(stored('ownString'), /substring|atom|share-unknown/);
    assert.match(stored('wideString'), /two-byte$/);
    assert.match(stored('narrowInWide'), /two-byte ascii-in-two-byte/);
    assert.equal(stored('ints'), 'int32-storage');
    assert.equal(stored('doubles'), 'double-storage');
    assert.equal(stored('nan'), 'contiguous');
    assert.equal(stored('boxedInts'), 'contiguous');
    assert.equal(stored('emptyArray'), 'empty undecided');
    assert.match(stored('frozen'), /frozen array-storage/);
    assert.match(stored('indexed'), /indexed-storage/);
    assert.deepEqual(said.longTexts!.at, ['$[0].text string-shared', '$[1].text string-copied']);
  });
});

/** Where the refused value is; null for what is not refused. */
const REFUSED: Expected = {
  callback: '$.done',
  port: '$',
  throwing: '$.a',
  throwingRow: '$.rows{value:1}[1]["odd key"]',
  getterOfFunctions: '$.tools[0].run',
  marked: '$',
  markedRow: '$[6].owner',
  markedBlob: '$',
  unmarkedBlob: null,
  namedLikeWebClass: null,
  callbackInLikeNamed: '$.done',
  outOfBounds: '$[0]',
  proxy: '$',
  rows: null,
};

function assertRefused({ said }: Report, expected: Expected): void {
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, said[name]!.refused]));
  assert.deepEqual(found, expected);
  for (const [name, refused] of Object.entries(expected))
    assert.equal(said[name]!.path === 'rejected', refused !== null, name);
}

const V8: Expected = {
  ownString: 'one-byte-string',
  narrowInWide: 'two-byte-string',
  wideString: 'two-byte-string',
  emptyObject: 'fast-object',
  flatObject: 'fast-object',
  nested: 'fast-object',
  nullPrototype: 'dictionary-object',
  indexed: 'dictionary-object',
  scarred: 'dictionary-object',
  emptyArray: 'packed-array',
  ints: 'packed-array',
  doubles: 'packed-array',
  texts: 'packed-array',
  rows: 'packed-array',
  holes: 'holey-array',
  frozen: 'holey-array',
  cloned: 'holey-array',
  date: 'serializer',
  map: 'serializer',
  view: 'buffer',
  callback: 'rejected',
  port: 'rejected',
  throwing: 'rejected',
  proxy: 'rejected',
};

function assertV8(report: Report): void {
  assert.equal(report.by, 'v8-natives');
  assertPaths(report, V8);
  const { said } = report;
  assert.deepEqual(said.map!.at, [`$${'{key:0}'} one-byte-string`, `$${'{value:0}'} holey-array`]);
  assert.equal(said.throwing!.rejected, 'of the payload');
  assert.deepEqual(said.boxedInts!.flags.length, 1);
  assertCommon(report);
  assert.match(said.cloned!.flags.join(' '), /holey-kind/);
  assert.match(said.narrowInWide!.flags.join(' '), /two-byte ascii-in-two-byte/);
  assert.match(said.scarred!.flags.join(' '), /dictionary/);
}

test('Node: paths by wire tags and natives', async () => {
  const report = await reportOf('node');
  assertV8(report);
  assertPaths(report, { undefined: 'scalar', number: 'scalar', shortString: 'one-byte-string' });
  const { marked, markedRow, markedBlob, ...everywhere } = REFUSED;
  const canMark = 'markAsUncloneable' in workerThreads;
  assertRefused(report, canMark ? REFUSED : everywhere);
});

test('a newer Node too, ropes included', { skip: missing('node@24.21.0') }, async () => {
  const report = await reportOf('node@24.21.0');
  assertV8(report);
  assertRefused(report, REFUSED);
  assert.equal(report.said.markedBlob!.kind, 'not-cloneable');
  assert.equal(report.said.unmarkedBlob!.kind, 'platform');
  assert.match(report.said.ownString!.flags.join(' '), /one-byte rope/);
  // Not asked about by natives: V8 would end the process.
  const { kind, path } = report.said.wasmStruct!;
  assert.deepEqual({ kind, path }, { kind: 'not-cloneable', path: 'rejected' });
});

test('Deno gives the same answers; values that it may send without V8 are not confirmed', {
  skip: missing('deno@2.9.6'),
}, async () => {
  const report = await reportOf('deno@2.9.6');
  assertV8(report);
  // Deno looks for the mark on the message itself only, and its workers not at all.
  assertRefused(report, { ...REFUSED, marked: null, markedBlob: null, markedRow: null });
  assertPaths(report, { undefined: null, number: null, shortString: null });
});

test('Deno without natives assumes how values are stored', { skip: missing('deno@2.9.6') }, async () => {
  const report = await reportOf('deno@2.9.6', { denoFlags: [] });
  assert.equal(report.by, 'assumed');
  assertPaths(report, { ints: 'packed-array', flatObject: null, cloned: 'holey-array' });
});
