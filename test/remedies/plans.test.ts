/** Where remedies apply: paths of their plans for a value, as the engines store it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../src/core/compare/compare.ts';
import { assumedStorage } from '../../src/core/describe/assumed-storage.ts';
import { describe } from '../../src/core/describe/describe.ts';
import { inferSchema } from '../../src/core/payload-schema/payload-schema.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import type { Channel, EngineName } from '../../src/model/names.ts';
import type { Classification } from '../../src/model/rules/rule.ts';
import { ShapeIndex } from '../../src/remedies/facts/shape-index.ts';
import { REMEDIES, type RemedyName } from '../../src/remedies/index.ts';
import { payloadTypes } from '../../src/remedies/module/types.ts';
import { typeDetection } from '../support/probe.ts';
import { big, rows } from './cases/build.ts';

interface Row {
  value: string;
  make: () => unknown;
  v8: string[];
  jsc: string[];
}

const numbers = (count: number) => rows(count, (i) => i);
const dates = (count: number) => rows(count, (i) => new Date(i));
const both = (value: string, make: () => unknown, plans: string[]): Row => ({
  value,
  make,
  v8: plans,
  jsc: plans,
});
const table = (count = 100) => rows(count, (i) => ({ id: i, tags: ['x'], pos: [i, 1] }));
const odd = (list: unknown[], element: unknown) => [...list, element];

const NUMBERS: Row[] = [
  both('a list', () => numbers(64), ['$ Float64Array']),
  both('few', () => numbers(63), []),
  both('below keys', () => ({ a: { b: numbers(99) } }), ['$.a.b Float64Array']),
  both('of two keys', () => ({ a: numbers(99), b: 1, c: numbers(99) }), [
    '$.a Float64Array, $.c Float64Array',
  ]),
  both('of keys at several depths', () => ({ a: numbers(99), b: { c: numbers(99) } }), []),
  both('in each row', () => rows(3, () => ({ a: numbers(99) })), []),
  both('in a row', () => [numbers(99)], []),
  both('beside those of rows', () => ({ a: numbers(99), rows: rows(3, () => numbers(99)) }), [
    '$.a Float64Array',
  ]),
  both('a text among them', () => odd(numbers(99), 'x'), []),
  both('a hole', () => Object.assign(numbers(99), { length: 101 }), []),
];

const JSON_TEXTS: Row[] = [
  { value: 'a table', make: () => table(), v8: ['$'], jsc: ['$'] },
  { value: 'beside a number', make: () => ({ n: 1, t: table() }), v8: ['$'], jsc: ['$', '$.t'] },
  { value: 'beside NaN', make: () => ({ n: Number.NaN, t: table() }), v8: ['$.t'], jsc: ['$.t'] },
  { value: 'beside bytes', make: () => ({ b: new Uint8Array(9), t: table() }), v8: ['$.t'], jsc: ['$.t'] },
  {
    value: 'deep, beside a Date',
    make: () => ({ a: { at: new Date(5), t: table(), u: table(30) }, n: 1 }),
    v8: ['$.a.t $.a.u'],
    jsc: ['$.a.t $.a.u'],
  },
  { value: 'small', make: () => ({ at: new Date(5), t: table(5) }), v8: [], jsc: [] },
  { value: 'a small share', make: () => ({ at: dates(999), t: table(50) }), v8: [], jsc: [] },
  { value: 'a Date in each row', make: () => [...table(), ...dates(5)], v8: [], jsc: [] },
  { value: 'many small', make: () => rows(99, () => ({ at: new Date(5), t: table(3) })), v8: [], jsc: [] },
  {
    value: 'few large',
    make: () => rows(3, () => ({ at: new Date(5), t: table() })),
    v8: ['$[*].t'],
    jsc: ['$[*].t'],
  },
  { value: 'in a Map', make: () => new Map([['t', table()]]), v8: [], jsc: [] },
  {
    value: 'beside a long text',
    make: () => ({ html: big(20_000), t: table(), u: { t: table() } }),
    v8: ['$', '$.t $.u'],
    jsc: ['$', '$.t $.u'],
  },
  {
    value: 'beside a long text, deep',
    make: () => ({ a: { html: big(20_000), t: table() } }),
    v8: ['$', '$.a.t'],
    jsc: ['$'],
  },
  { value: 'one text', make: () => big(500), v8: [], jsc: [] },
];

const NOTHING_FOUND = { verdict: {}, findings: [] } as unknown as Classification;

function shown({ path, paths = [path], lists }: Plan): string {
  if (lists === undefined) return (paths as string[]).join(' ');
  return (lists as { path: string; type: string }[]).map((list) => `${list.path} ${list.type}`).join(', ');
}

function plansOf(name: RemedyName, engine: EngineName, value: unknown): string[] {
  const storage = assumedStorage(engine);
  const shape = describe(value, { types: typeDetection, storage, utf8Bytes: Buffer.byteLength });
  return REMEDIES[name].plans(shape, NOTHING_FOUND).map(shown);
}

const TABLES = [
  ['typed-array', NUMBERS],
  ['json-text', JSON_TEXTS],
] as const;

for (const [name, table] of TABLES)
  for (const { value, make, ...expected } of table)
    for (const engine of ['v8', 'jsc'] as const)
      test(`${name}, ${engine}: ${value}`, () => {
        assert.deepEqual(plansOf(name, engine, make()), expected[engine]);
      });

test('over JSON: bytes as base64, and a codec whose numbers are base64; elsewhere no base64', () => {
  const value = {
    id: 1,
    parts: [{ b: new Uint8Array(9) }, { b: new ArrayBuffer(9) }, { b: 'text' }],
    shared: new Uint8Array(new SharedArrayBuffer(9)),
    pooled: Buffer.from('pooled'),
    map: new Map([['b', new Uint8Array(9)]]),
  };
  const shape = describe(value, {
    types: typeDetection,
    storage: assumedStorage('v8'),
    utf8Bytes: Buffer.byteLength,
  });
  const schema = inferSchema([structuredClone(value)], typeDetection, false);
  const planned = (name: RemedyName, channel: Channel) =>
    REMEDIES[name]
      .plans(shape, { ...NOTHING_FOUND, schema, channel })
      .map((plan) => plan.form ?? shown(plan));
  for (const channel of ['ipc-json', 'extension'] as const) {
    assert.deepEqual(planned('base64', channel), ['$.parts[*].b $.pooled']);
    assert.deepEqual(planned('compiled', channel), ['base64']);
  }
  assert.deepEqual(planned('base64', 'worker'), []);
  assert.deepEqual(planned('blob', 'indexeddb'), []);
  const large = { ...value, pixels: new Uint8ClampedArray(256 * 1024), small: new Uint8Array(64) };
  const largeShape = describe(large, {
    types: typeDetection,
    storage: assumedStorage('v8'),
    utf8Bytes: Buffer.byteLength,
  });
  assert.deepEqual(REMEDIES.blob.plans(largeShape, { ...NOTHING_FOUND, channel: 'indexeddb' }).map(shown), [
    '$.pixels',
  ]);
  assert.deepEqual(REMEDIES.blob.plans(largeShape, { ...NOTHING_FOUND, channel: 'worker' }), []);
  assert.deepEqual(planned('compiled', 'extension-clone'), ['joined']);
});

test('transfer: whole buffers, and objects of the platform that are moved there', () => {
  const storage = assumedStorage('v8');
  const value = {
    view: new Uint8Array(4),
    port: new MessageChannel().port1,
    part: new Uint8Array(new ArrayBuffer(9), 1),
  };
  const shape = describe(value, { types: typeDetection, storage, utf8Bytes: Buffer.byteLength });
  const planned = (moves?: (name: string) => boolean) =>
    REMEDIES.transfer.plans(shape, { ...NOTHING_FOUND, ...(moves && { moves }) });
  assert.deepEqual(planned(), [{ path: '$.view', paths: ['$.view'], inline: ['view'] }]);
  const paths = ['$.view', '$.port'];
  const [plan, ...others] = planned((name) => name === 'MessagePort');
  assert.deepEqual(
    [plan, others],
    [{ path: '$', paths, classes: ['MessagePort'], inline: ['view', 'buffer'] }, []],
  );
  assert.match(
    REMEDIES.transfer.code(plan!).sender,
    /postMessage\(payload, \[payload\.view\.buffer, payload\.port\]\);$/,
  );
  const { view, port } = value;
  assert.deepEqual(REMEDIES.transfer.transfer?.(value, plan!), [view.buffer, port]);
  const moved = structuredClone(value, { transfer: [view.buffer, port] });
  assert.deepEqual([moved.port instanceof MessagePort, compare(value.port, moved.port)], [true, []]);
});

test('plans and types of one shape stay the same, however often they are made', () => {
  const value = { rows: table(), bytes: new Uint8Array(100) };
  const storage = assumedStorage('v8');
  const shape = describe(value, { types: typeDetection, storage, utf8Bytes: Buffer.byteLength });
  const plans = () => REMEDIES['json-text'].plans(shape, NOTHING_FOUND).map(shown);
  const first = plans();
  assert.deepEqual(first, ['$.rows']);
  assert.deepEqual(plans(), first);
  assert.equal(
    payloadTypes(ShapeIndex.of(shape), 'payload').at(-1),
    'export type Payload = { rows: { id: number; tags: string[]; pos: number[] }[]; bytes: Uint8Array };',
  );
});
