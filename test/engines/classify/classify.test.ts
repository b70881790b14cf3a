import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shape } from '../../../src/model/documents/shape.ts';
import type { CostClass, PathName } from '../../../src/model/names.ts';
import { rowsIn, shapeOf } from '../../make.ts';
import { classified, run } from './classified.ts';

/** What modules of fixtures/payloads show of single rules on real engines is left out. */
type Row = [where: string, facts: string, verdict: `${PathName} ${CostClass}`, ...blockers: string[]];

const LONG = '$ string units-over-128 units-from-256';
const TEXT_514 = '$ string bytes-from-514';
const FLAT = '$ object dictionary; $.id number int32';
const rowsOf = (flags = '') =>
  `$ array contiguous; ${`$[*] object ×3 ${flags}`.trim()}; $[*].id number int32`;
const ints = (flags: string) => `$ array ${flags}; $[*] number int32`;

const IN_ROWS = `${rowsOf()}; $[*].geo object; $[*].geo.at array array-storage`;
const FROZEN_DEEP = `${FLAT}; $.task object; $.task.next object frozen`;
const WITH_VIEW = `${FLAT}; $.tile typedarray view-of-larger`;
const WITH_SLICE = `${FLAT}; $.text string units-from-256 substring`;
const HOLEY_IN_ROWS =
  '$ array packed-elements; $[*] object; $[*].xs array holey-kind; $[*].xs[*] number int32';

const JSC: Row[] = [
  ['bun@1.4.5', LONG, 'string-shared shared'],
  ['bun@1.4.5', `${LONG} substring rope`, 'string-copied bulk', 'jsc/string-copied $'],
  ['bun@1.4.5 ipc-advanced', LONG, 'serializer serialized', 'jsc/cross-process $'],
  ['bun@1.4.5 storage', LONG, 'serializer serialized', 'jsc/cross-process $'],
  ['bun@1.4.5 worker transferring', LONG, 'serializer serialized', 'jsc/transfer-list $'],
  ['bun@1.2.20', LONG, 'serializer serialized', 'jsc/too-early $'],
  ['bun@1.2.21', LONG, 'string-shared shared'],
  ['bun@1.2.21', FLAT, 'serializer serialized', 'jsc/too-early $'],
  ['bun@1.2.22', FLAT, 'simple-object in-memory'],
  ['bun@1.3.9', ints('int32-storage'), 'serializer serialized', 'jsc/too-early $'],
  ['bun@1.3.10', ints('int32-storage'), 'int32-array bulk'],
  ['bun@1.4.5', rowsOf(), 'dense-array in-memory'],
  ['bun@1.4.5', rowsOf('frozen sealed non-extensible'), 'serializer serialized', 'jsc/frozen-object $[*]'],
  ['bun@1.4.5', IN_ROWS, 'serializer serialized', 'jsc/element-nested-value $[0].geo'],
  ['bun@1.4.5', FROZEN_DEEP, 'serializer serialized', 'jsc/nested-value $.task'],
  ['bun@1.4.5', `${FLAT}; $.* object`, 'serializer serialized', 'jsc/nested-value $.*'],
  ['bun@1.3.14', '$ object non-extensible', 'serializer serialized', 'jsc/frozen-object $'],
  ['bun@1.4.5', '$ object non-extensible indexed-storage', 'serializer serialized', 'jsc/indexed-storage $'],
  ['bun@1.4.5', '$ object non-extensible sealed frozen empty vacuously-frozen', 'simple-object in-memory'],
  ['bun@1.4.0', '$ object non-extensible', 'simple-object in-memory'],
  ['bun@1.4.5', '$ sharedarraybuffer', 'serializer shared'],
  ['bun@1.4.5 worker transferring', '$ arraybuffer', 'serializer moved'],
  ['bun@1.4.5', WITH_VIEW, 'serializer degraded', 'jsc/nested-value $.tile', 'spec/view-of-larger $.tile'],
  ['bun@1.4.5', WITH_SLICE, 'simple-object bulk', 'jsc/string-copied $.text'],
];

const V8: Row[] = [
  ['node@24.21.0', '$ string one-byte', 'one-byte-string bulk'],
  ['node@24.21.0', ints('holey-kind'), 'holey-array degraded', 'v8/holey-array $'],
  // Receiving allocates room for every index, up to a length of 2 ** 25.
  ['deno@2.9.6', `$ array size=${2 ** 25 + 1} holes holey-kind`, 'holey-array degraded', 'v8/holey-array $'],
  [
    'deno@2.9.6',
    '$ array size=5000000 holes holey-kind',
    'holey-array degraded',
    'v8/holey-array $',
    'spec/sparse-length $',
  ],
  ['node@24.21.0', HOLEY_IN_ROWS, 'packed-array degraded', 'v8/holey-array $[0].xs'],
  ['node@24.21.0', FLAT, 'dictionary-object degraded', 'v8/dictionary-object $'],
  ['node@24.21.0', '$ typedarray view-of-larger', 'buffer degraded', 'spec/view-of-larger $'],
  ['node@24.21.0', '$ typedarray view-of-larger pooled', 'buffer degraded', 'v8/pooled-buffer $'],
  ['node@24.21.0 ipc-advanced', '$ typedarray view-of-larger', 'buffer bulk'],
  // Rules of structured clone do not hold there, and JSON writes nothing of what is in a Map.
  ['node@24.21.0 ipc-json', '$ array frozen', 'json serialized'],
  ['node@24.21.0 ipc-json', '$ typedarray view-of-larger', 'json degraded', 'spec/json-bytes $'],
  ['node@24.21.0 ipc-json', '$ map; ${value} bigint', 'json serialized'],
  ['node@24.21.0 ipc-json', '$ bigint', 'rejected rejected', 'spec/json-bigint $'],
  ['node@24.21.0 worker transferring', '$ typedarray view-of-larger', 'buffer moved'],
  ['node@24.21.0', '$ sharedarraybuffer', 'buffer shared'],
  ['node@24.21.0 ipc-advanced', '$ sharedarraybuffer', 'rejected rejected', 'spec/shared-refused $'],
  ['electron@33.2.1 electron-port', '$ sharedarraybuffer', 'rejected rejected', 'spec/shared-refused $'],
  ['electron@33.2.1 electron-ipc', '$ typedarray node-buffer', 'buffer bulk'],
  ['node@24.21.0 storage', '$ sharedarraybuffer', 'rejected rejected', 'spec/shared-refused $'],
  ['node@24.21.0 storage', '$ typedarray view-of-larger', 'buffer bulk'],
  ['deno@2.9.6', '$ number', 'scalar-codec in-memory'],
  ['deno@2.9.6', '$ string', 'scalar-codec in-memory'],
  ['deno@2.9.6', '$ string units-over-128 one-byte', 'one-byte-string bulk'],
  ['deno@2.9.6 structured-clone', `${LONG} one-byte`, 'identity shared'],
  ['deno@2.7.14 structured-clone', `${LONG} one-byte`, 'one-byte-string bulk'],
  ['node@24.21.0', '$ map; ${value} array holey-kind', 'serializer degraded', 'v8/holey-array ${value:0}'],
];

for (const [where, facts, expected, ...blockers] of [...JSC, ...V8])
  test(`${where}: ${facts}`, () => {
    const { verdict } = run(where, rowsIn(facts));
    assert.deepEqual(
      [`${verdict.path} ${verdict.class}`, ...verdict.blockers.map((b) => `${b.rule} ${b.path}`)],
      [expected, ...blockers],
    );
  });

/** Rows that a rule has beside that of its payload module: "rule path". */
const ALSO: [where: string, facts: string, found: string][] = [
  ['chromium@156 broadcast', '$ object; $.a sharedarraybuffer', 'spec/shared-refused $.a'],
  ['chromium@156 extension-clone', '$ object; $.a sharedarraybuffer', 'spec/shared-refused $.a'],
  ['workerd@1.20261117.1 structured-clone', '$ object; $.a error cycle', 'v8/error-cycle $.a'],
  ['node@24.21.0 ipc-json', '$ array holes', 'spec/json-undefined-element $'],
  ['chromium@156 extension', '$ undefined', 'spec/json-undefined-element $'],
  ['chromium@156 extension', '$ function', 'spec/json-root $'],
  ['node@24.21.0 ipc-advanced', '$ bigint', 'spec/json-root $'],
  ['node@24.21.0 ipc-json', '$ array named-props', 'spec/non-enumerable $'],
  ['node@24.21.0 ipc-json', '$ object accessor enumerable-accessor', 'spec/accessor $'],
  ['deno@2.9.6 ipc-json', '$ bigint to-json', 'spec/json-bigint $'],
  ['deno@2.9.6 ipc-json', '$ typedarray to-json', 'spec/json-bytes $'],
  ['node@24.21.0 ipc-json', '$ typedarray to-json', 'spec/json-to-json $'],
  ['deno@2.9.6 ipc-json', '$ string lone-surrogate', 'v8/json-changed $'],
  ['bun@1.4.5 storage', '$ typedarray out-of-bounds', 'spec/out-of-bounds-view $'],
  ['node@24.21.0 worker transferring', '$ typedarray pooled', 'spec/untransferable $'],
  ['firefox@153 message-port transferring', '$ arraybuffer', 'spec/transfer-copied $'],
  ['firefox@153 worker transferring', '$ arraybuffer resizable', 'spec/transfer-copied $'],
  ['firefox@153', '$ array; $[*] string size=64 repeated', 'spec/repeated-string $[0]'],
  ['webkit@2.50', '$ array; $[*] string ×1000', 'webkit/long-string $[*]'],
  ['node@24.21.0', '$ object dictionary empty', 'v8/empty $'],
  ['node@24.21.0', '$ array; $[*] bigint ×1000', 'v8/date $[*]'],
  ['node@24.21.0', '$ array subclass', 'spec/built-in-subclass $'],
  ['electron@33.2.1 electron-bridge', '$ object; $.a array named-props', 'v8/bridge-array $.a'],
  ['electron@33.2.1 electron-bridge', '$ object; $.a error repeated', 'spec/shared-reference $.a'],
  ['electron@33.2.1 electron-bridge', '$ map; ${value} function', 'v8/bridge-refused ${value:0}'],
  ['electron@33.2.1 electron-bridge', '$ object; $.a promise', 'v8/rpc-handed-over $.a'],
];

for (const [where, facts, found] of ALSO)
  test(`${where}: ${facts}: ${found}`, () => {
    const { findings } = run(where, rowsIn(facts));
    assert.ok(findings.map(({ rule, path }) => `${rule} ${path}`).includes(found));
  });

/** Facts of the whole payload. */
const WHOLE: [where: string, facts: Partial<Shape>, rule: string][] = [
  ['bun@1.4.5', { depth: 40_000 }, 'spec/too-deep'],
  ['deno@2.9.6 ipc-json', { depth: 128 }, 'spec/too-deep'],
  ['chromium@156 extension', { depth: 6000 }, 'spec/too-deep'],
  ['electron@33.2.1 electron-bridge', { depth: 501 }, 'spec/too-deep'],
  ['chromium@156 extension', { jsonBytes: 2 ** 26 + 1 }, 'spec/message-too-large'],
];

for (const [where, facts, rule] of WHOLE)
  test(`${where}: ${JSON.stringify(facts)}: ${rule}`, () => {
    const { findings } = classified(where, { ...shapeOf('v8', ...rowsIn('$ object')), ...facts });
    assert.ok(findings.some((one) => one.rule === rule));
  });

/** "since path class" of the version that has the fast path; null: none. */
const UPGRADES: [where: string, facts: string, upgrade: string | null][] = [
  ['bun@1.2.20', LONG, '1.2.21 string-shared shared'],
  ['bun@1.2.20', FLAT, '1.2.22 simple-object in-memory'],
  ['bun@1.3.9', rowsOf(), '1.3.10 dense-array in-memory'],
  ['bun@1.3.9', `${rowsOf()}; $[*].geo object`, null],
  ['bun@1.3.9', rowsOf('frozen'), null],
  ['bun@1.3.14', rowsOf('non-extensible'), '1.4.0 dense-array in-memory'],
  ['bun@1.3.9', rowsOf('non-extensible'), '1.4.0 dense-array in-memory'],
  ['bun@1.4.5', '$ map', null],
  ['deno@2.7.14 structured-clone', `${LONG} one-byte`, '2.8.0 identity shared'],
  ['firefox@128', TEXT_514, '137 string-shared shared'],
  ['firefox@128 message-port', TEXT_514, null],
  ['node@20.20.2', ints('holey-kind'), null],
];

for (const [where, facts, upgrade] of UPGRADES)
  test(`upgrade from ${where}: ${facts}`, () => {
    const found = run(where, rowsIn(facts)).verdict.upgrade;
    assert.equal(found && `${found.since} ${found.path} ${found.class}`, upgrade);
  });

/** The path without blockers, null where there is none. */
const ASPIRED: [where: string, facts: string, path: PathName | null][] = [
  ['bun@1.4.5', `${FLAT}; $.a array`, 'simple-object'],
  ['bun@1.4.5', ints('array-storage frozen'), 'int32-array'],
  ['bun@1.4.5', '$ map', null],
  ['node@20.20.2', ints('holey-kind'), 'packed-array'],
];

for (const [where, facts, path] of ASPIRED)
  test(`aspired on ${where}: ${facts}`, () => assert.equal(run(where, rowsIn(facts)).verdict.aspired, path));
