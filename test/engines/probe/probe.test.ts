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

describe('Bun', { skip: missing('bun@1.4.5') }, () => {
  let report: Report;
  before(async () => {
    report = await reportOf('bun@1.4.5');
  });

  test('the path follows from what the message costs', () => {
    assert.equal(report.by, 'bun-jsc');
    assertCommon(report);
    // 56 bytes either way, and the receiver gets the same storage: the two cannot be told apart.
    assertPaths(report, { sameCost: null, rows: 'dense-array' });
    assert.equal(report.said.throwing!.rejected, 'of the payload');
    assert.equal(report.said.rows!.cost.bytes!.copied, 146);
    assert.deepEqual(report.said.longTexts!.at, ['$[0].text string-shared', '$[1].text string-copied']);
  });

  test('the cost computed without a post equals the cost of the posted message', () => {
    const known = Object.entries(report.said).flatMap(([name, { cost }]) => {
      const real = /^message (\d+) bytes/.exec(cost.evidence)?.[1];
      const told = cost.bytes && cost.bytes.copied + cost.bytes.shared;
      return real === undefined || told === null ? [] : [[name, Number(real), told] as const];
    });
    assert.ok(known.length > 12, `${known.length}`);
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
    for (const name of ['nested', 'twice', 'ints']) assert.deepEqual(said[name]!.hidden, [], name);
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

function assertV8(report: Report): void {
  assert.equal(report.by, 'v8-natives');
  const { said } = report;
  assert.deepEqual(said.map!.at, [`$${'{key:0}'} one-byte-string`, `$${'{value:0}'} holey-array`]);
  assert.equal(said.throwing!.rejected, 'of the payload');
  assertCommon(report);
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
