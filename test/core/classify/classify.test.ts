import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from '../../../src/model/documents/shape.ts';
import type { CostClass, PathName } from '../../../src/model/names.ts';
import { row } from '../../make.ts';
import { flat, int, ints, rowsOf, run } from './classified.ts';

/** What modules of fixtures/payloads show of single rules on real engines is left out. */
type Row = [where: string, rows: Facts[], path: PathName, cost: CostClass, blockers?: string[]];

const MAP_VALUE = `$${'{value}'}`;
const long = (...flags: Facts['flags']) => row('$', 'string', ['units-over-128', 'units-from-256', ...flags]);

const JSC: Row[] = [
  ['bun@1.4.5', [long()], 'string-shared', 'shared'],
  ['bun@1.4.5', [row('$', 'string')], 'string-copied', 'bulk'],
  ['bun@1.4.5', [long('substring', 'rope')], 'string-copied', 'bulk', ['jsc/string-substring $']],
  ['bun@1.4.5 ipc-advanced', [long()], 'serializer', 'serialized', ['jsc/cross-process $']],
  ['bun@1.4.5 storage', [long()], 'serializer', 'serialized', ['jsc/to-file $']],
  ['bun@1.4.5 worker transferring', [long()], 'serializer', 'serialized', ['jsc/transfer-list $']],
  ['bun@1.2.20', [long()], 'serializer', 'serialized', ['jsc/string-too-early $']],
  ['bun@1.2.21', [long()], 'string-shared', 'shared'],
  ['bun@1.2.21', flat, 'serializer', 'serialized', ['jsc/object-too-early $']],
  ['bun@1.2.22', flat, 'simple-object', 'in-memory'],
  ['bun@1.3.9', ints('int32-storage'), 'serializer', 'serialized', ['jsc/array-too-early $']],
  ['bun@1.3.10', ints('int32-storage'), 'int32-array', 'bulk'],
  ['bun@1.4.5', ints('double-storage'), 'double-array', 'bulk'],
  ['bun@1.4.5', ints('contiguous'), 'simple-array', 'in-memory'],
  ['bun@1.4.5', rowsOf(), 'dense-array', 'in-memory'],
  ['bun@1.4.5', rowsOf('class-instance'), 'dense-array', 'in-memory'],
  [
    'bun@1.4.5',
    rowsOf('frozen', 'sealed', 'non-extensible'),
    'serializer',
    'serialized',
    ['jsc/frozen-object $[*]'],
  ],
  [
    'bun@1.4.5',
    [...rowsOf(), row('$[*].geo', 'object'), row('$[*].geo.at', 'array', ['array-storage'])],
    'serializer',
    'serialized',
    ['jsc/element-nested-value $[0].geo'],
  ],
  [
    'bun@1.4.5',
    [...flat, row('$.task', 'object'), row('$.task.next', 'object', ['frozen'])],
    'serializer',
    'serialized',
    ['jsc/nested-value $.task'],
  ],
  ['bun@1.4.5', [...flat, row('$.*', 'object')], 'serializer', 'serialized', ['jsc/nested-value $.*']],
  [
    'bun@1.3.14',
    [row('$', 'object', ['non-extensible'])],
    'serializer',
    'serialized',
    ['jsc/non-extensible-object $'],
  ],
  [
    'bun@1.4.5',
    [row('$', 'object', ['non-extensible', 'indexed-storage'])],
    'serializer',
    'serialized',
    ['jsc/indexed-storage $'],
  ],
  [
    'bun@1.4.5',
    [row('$', 'object', ['non-extensible', 'sealed', 'frozen', 'empty', 'vacuously-frozen'])],
    'simple-object',
    'in-memory',
  ],
  ['bun@1.4.0', [row('$', 'object', ['non-extensible'])], 'simple-object', 'in-memory'],
  [
    'bun@1.4.5',
    [row('$', 'array', ['undecided', 'holes'])],
    'serializer',
    'serialized',
    ['jsc/undecided-array $'],
  ],
  [
    'bun@1.4.5',
    ints('array-storage', 'frozen', 'non-extensible'),
    'serializer',
    'serialized',
    ['jsc/frozen-array $'],
  ],
  ['bun@1.4.5', ints('array-storage', 'holes'), 'serializer', 'serialized', ['jsc/array-storage $']],
  ['bun@1.4.5', [row('$', 'number', ['int32'])], 'serializer', 'serialized'],
  ['bun@1.4.5', [row('$', 'map'), row('$..', 'object')], 'serializer', 'serialized'],
  ['bun@1.4.5', [row('$', 'sharedarraybuffer')], 'serializer', 'shared'],
  ['bun@1.4.5 worker transferring', [row('$', 'arraybuffer')], 'serializer', 'moved'],
  [
    'bun@1.4.5',
    [...flat, row('$.tile', 'typedarray', ['view-of-larger'])],
    'serializer',
    'degraded',
    ['jsc/nested-value $.tile', 'jsc/view-of-larger $.tile'],
  ],
  [
    'bun@1.4.5',
    [...flat, row('$.text', 'string', ['units-from-256', 'substring'])],
    'simple-object',
    'bulk',
    ['jsc/string-value-copied $.text'],
  ],
];

const V8: Row[] = [
  ['node@24.21.0', [row('$', 'string', ['one-byte'])], 'one-byte-string', 'bulk'],
  ['node@24.21.0', [row('$', 'string', ['two-byte'])], 'two-byte-string', 'bulk'],
  ['node@24.21.0', ints('packed-smi'), 'packed-array', 'serialized'],
  ['node@24.21.0', ints('holey-kind'), 'holey-array', 'degraded', ['v8/holey-array $']],
  ['node@24.21.0', ints('not-fast-elements', 'frozen'), 'holey-array', 'degraded', ['v8/frozen-array $']],
  [
    'node@24.21.0',
    ints('dictionary-elements', 'holes'),
    'holey-array',
    'degraded',
    ['v8/dictionary-elements $'],
  ],
  [
    'node@24.21.0',
    [
      row('$', 'array', ['packed-elements']),
      row('$[*]', 'object'),
      row('$[*].xs', 'array', ['holey-kind'], { size: { min: 2, max: 4, total: 6 } }),
      int('$[*].xs[*]'),
    ],
    'packed-array',
    'degraded',
    ['v8/holey-array $[0].xs'],
  ],
  ['node@24.21.0', [row('$', 'object'), int('$.id')], 'fast-object', 'serialized'],
  ['node@24.21.0', flat, 'dictionary-object', 'degraded', ['v8/dictionary-object $']],
  ['node@24.21.0', [row('$', 'typedarray')], 'buffer', 'bulk'],
  [
    'node@24.21.0',
    [row('$', 'typedarray', ['view-of-larger'])],
    'buffer',
    'degraded',
    ['v8/view-of-larger $'],
  ],
  [
    'node@24.21.0',
    [row('$', 'typedarray', ['view-of-larger', 'pooled'])],
    'buffer',
    'degraded',
    ['v8/pooled-buffer $'],
  ],
  ['node@24.21.0 ipc-advanced', [row('$', 'typedarray', ['view-of-larger'])], 'buffer', 'bulk'],
  // Rules of structured clone do not hold there, and JSON writes nothing of what is in a Map.
  ['node@24.21.0 ipc-json', [row('$', 'array', ['frozen'])], 'json', 'serialized'],
  [
    'node@24.21.0 ipc-json',
    [row('$', 'typedarray', ['view-of-larger'])],
    'json',
    'degraded',
    ['spec/json-bytes $'],
  ],
  ['node@24.21.0 ipc-json', [row('$', 'map'), row(MAP_VALUE, 'bigint')], 'json', 'serialized'],
  ['node@24.21.0 ipc-json', [row('$', 'bigint')], 'rejected', 'rejected', ['spec/json-bigint $']],
  ['node@24.21.0 worker transferring', [row('$', 'typedarray', ['view-of-larger'])], 'buffer', 'moved'],
  ['node@24.21.0', [row('$', 'sharedarraybuffer')], 'buffer', 'shared'],
  [
    'node@24.21.0 ipc-advanced',
    [row('$', 'sharedarraybuffer')],
    'rejected',
    'rejected',
    ['v8/shared-over-ipc $'],
  ],
  [
    'electron@33.2.1 electron-port',
    [row('$', 'sharedarraybuffer')],
    'rejected',
    'rejected',
    ['v8/shared-to-renderer $'],
  ],
  ['electron@33.2.1 electron-ipc', [row('$', 'typedarray', ['node-buffer'])], 'buffer', 'bulk'],
  ['node@24.21.0 storage', [row('$', 'sharedarraybuffer')], 'rejected', 'rejected', ['v8/shared-to-file $']],
  ['node@24.21.0 storage', [row('$', 'typedarray', ['view-of-larger'])], 'buffer', 'bulk'],
  ['node@24.21.0', [row('$', 'number')], 'scalar', 'in-memory'],
  ['deno@2.9.6', [row('$', 'number')], 'scalar-codec', 'in-memory'],
  ['deno@2.9.6', [row('$', 'string')], 'scalar-codec', 'in-memory'],
  ['deno@2.9.6', [row('$', 'string', ['units-over-128', 'one-byte'])], 'one-byte-string', 'bulk'],
  ['deno@2.9.6 structured-clone', [long('one-byte')], 'identity', 'shared'],
  ['deno@2.7.14 structured-clone', [long('one-byte')], 'one-byte-string', 'bulk'],
  [
    'node@24.21.0',
    [row('$', 'map'), row(MAP_VALUE, 'array', ['holey-kind'])],
    'serializer',
    'degraded',
    [`v8/holey-array $${'{value:0}'}`],
  ],
];

const OTHERS: Row[] = [
  ['firefox@153', [row('$', 'string', ['bytes-from-514'])], 'string-shared', 'shared'],
  ['firefox@153 structured-clone', [row('$', 'string', ['bytes-from-514'])], 'string-shared', 'shared'],
  [
    'firefox@153 message-port',
    [row('$', 'string', ['bytes-from-514'])],
    'string-copied',
    'bulk',
    ['spidermonkey/string-over-port $'],
  ],
  [
    'firefox@128',
    [row('$', 'string', ['bytes-from-514'])],
    'string-copied',
    'bulk',
    ['spidermonkey/string-too-early $'],
  ],
  ['firefox@153', [row('$', 'string')], 'string-copied', 'bulk'],
  ['firefox@153', ints(), 'serializer', 'serialized'],
  ['webkit@2.50', [long()], 'serializer', 'serialized'],
  [
    'webkit@2.50',
    [row('$', 'array', ['holes'], { size: { min: 1e6, max: 1e6, total: 1e6 } })],
    'serializer',
    'degraded',
    ['webkit/sparse-length $'],
  ],
];

for (const [where, rows, path, cost, blockers = []] of [...JSC, ...V8, ...OTHERS]) {
  const description = rows.map((f) => `${f.pattern} ${f.kind} ${f.flags.join(',')}`).join('; ');
  test(`${where}: ${description}`, () => {
    const { verdict } = run(where, rows);
    assert.deepEqual(
      [verdict.path, verdict.class, verdict.blockers.map((b) => `${b.rule} ${b.path}`)],
      [path, cost, blockers],
    );
  });
}

const UPGRADES: [string, Facts[], { since: string; path: PathName; class: CostClass } | null][] = [
  ['bun@1.2.20', [long()], { since: '1.2.21', path: 'string-shared', class: 'shared' }],
  ['bun@1.2.20', flat, { since: '1.2.22', path: 'simple-object', class: 'in-memory' }],
  ['bun@1.3.9', rowsOf(), { since: '1.3.10', path: 'dense-array', class: 'in-memory' }],
  ['bun@1.3.9', [...rowsOf(), row('$[*].geo', 'object')], null],
  ['bun@1.3.9', rowsOf('frozen'), null],
  ['bun@1.3.14', rowsOf('non-extensible'), { since: '1.4.0', path: 'dense-array', class: 'in-memory' }],
  ['bun@1.3.9', rowsOf('non-extensible'), { since: '1.4.0', path: 'dense-array', class: 'in-memory' }],
  ['bun@1.4.5', [row('$', 'map')], null],
  ['deno@2.7.14 structured-clone', [long('one-byte')], { since: '2.8.0', path: 'identity', class: 'shared' }],
  [
    'firefox@128',
    [row('$', 'string', ['bytes-from-514'])],
    { since: '137', path: 'string-shared', class: 'shared' },
  ],
  ['firefox@128 message-port', [row('$', 'string', ['bytes-from-514'])], null],
  ['node@20.20.2', ints('holey-kind'), null],
];

for (const [where, rows, upgrade] of UPGRADES) {
  test(`upgrade from ${where} of a ${rows[0]!.kind} (${rows.length} rows, ${rows.flatMap((f) => f.flags).join(',')})`, () => {
    assert.deepEqual(run(where, rows).verdict.upgrade, upgrade);
  });
}

test('aspired: the path without blockers, null where there is none', () => {
  assert.equal(run('bun@1.4.5', [...flat, row('$.a', 'array')]).verdict.aspired, 'simple-object');
  assert.equal(run('bun@1.4.5', ints('array-storage', 'frozen')).verdict.aspired, 'int32-array');
  assert.equal(run('bun@1.4.5', [row('$', 'map')]).verdict.aspired, null);
  assert.equal(run('node@20.20.2', ints('holey-kind')).verdict.aspired, 'packed-array');
});
