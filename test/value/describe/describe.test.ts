import assert from 'node:assert/strict';
import { createHistogram } from 'node:perf_hooks';
import { test } from 'node:test';
import { runInNewContext, runInThisContext } from 'node:vm';
import type { Facts } from '../../../src/model/documents/shape.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { assumedStorage, type Probe } from '../../../src/value/describe/inspect/storage.ts';
import { jsonObstacle } from '../../../src/value/describe/json-safety.ts';
import { withHidden } from '../../../src/value/describe/shape-rows.ts';
import { probeFor } from '../../support/probe.ts';

const assumed = await probeFor({ assume: 'v8' });
const asked = await probeFor();
assert.equal(asked.storage.by, 'v8-natives');

const boom = () => {
  throw new Error('user code ran');
};
const STORED_FLAGS = /^(one-byte|two-byte|packed-.*|.*-elements|holey-kind|dictionary)$/;

/** "kind tag flag flag", without storage flags. */
function rootFacts(value: unknown, probe: Probe): string {
  const root = describe(value, probe).patterns.find((f) => f.pattern === '$')!;
  return labelOf(root);
}

function labelOf({ kind, tag, flags }: Facts): string {
  return [kind, tag ?? '', ...flags.filter((f) => !STORED_FLAGS.test(f))].filter((t) => t !== '').join(' ');
}

class Silent {}
Reflect.deleteProperty(Silent, 'name');
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const detached = <T extends ArrayBufferView<ArrayBuffer>>(view: T): T => {
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
};
const sharedMemory = () =>
  (runInThisContext('new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })') as { buffer: object })
    .buffer;
const named = <T extends object>(value: T, name: PropertyKey = 'note') =>
  Object.defineProperty(value, name, { value: 1, enumerable: true, configurable: true, writable: true });
const withKey = (attributes: PropertyDescriptor) =>
  Object.defineProperty({}, 'a', { value: 1, ...attributes });
const withGetter = (key: PropertyKey) =>
  Object.defineProperty({}, key, { get: boom, enumerable: true, configurable: true });
const errorWith = (slots: object) => Object.assign(new Error('x'), slots);
const resizable = () => Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]) as ArrayBuffer;

/** `repeat` alone gives a rope in newer versions of V8. */
const flat = (unit: string, count: number) => Array.from({ length: count }, () => unit).join('');

/** What no payload of a rule (test/engines/rule-payloads) has: edges, disguises, other realms. */
const ROWS: [string, unknown, string][] = [
  ['int', 5, 'number int32'],
  ['beyond smi31', 2 ** 30, 'number int32 beyond-smi31'],
  ['lowest smi31', -(2 ** 30), 'number int32'],
  ['beyond int32', 2 ** 31, 'number double'],
  ['NaN', Number.NaN, 'number double nan'],
  ['-0', -0, 'number double negative-zero'],
  ['Infinity', Number.NEGATIVE_INFINITY, 'number double infinite'],
  ['129 units', flat('x', 129), 'string units-over-128'],
  ['256 units', flat('x', 256), 'string units-over-128 units-from-256'],
  ['514 bytes in two-byte', flat('\u263a', 257), 'string units-over-128 units-from-256 bytes-from-514'],
  ['lone surrogate', 'a\ud800b', 'string lone-surrogate'],
  ['pair', 'a\ud83d\ude00b', 'string'],
  ['proxy of a function', new Proxy(() => 1, {}), 'proxy Proxy of a function'],
  ['proxy', new Proxy({}, { get: boom, ownKeys: boom, getPrototypeOf: boom }), 'proxy'],
  ['revoked proxy', revoked(), 'proxy'],
  ['proxy of an array', new Proxy([], { get: boom }), 'proxy Proxy of an array'],
  ['weakset', new WeakSet(), 'weakset'],
  ['weakref', new WeakRef({}), 'weakref'],
  ['registry', new FinalizationRegistry(() => {}), 'not-cloneable FinalizationRegistry'],
  ['collator', new Intl.Collator(), 'not-cloneable Intl.Collator'],
  ['not a weakref', Object.create(WeakRef.prototype), 'object WeakRef empty class-instance'],
  ['map iterator', new Map().keys(), 'iterator Map Iterator'],
  ['array iterator', [1].values(), 'iterator Array Iterator'],
  ['boxed symbol', Object(Symbol()), 'not-cloneable Symbol'],
  ['port', new MessageChannel().port1, 'platform MessagePort transferable'],
  ['stream', new ReadableStream(), 'platform ReadableStream transferable'],
  ['histogram', createHistogram(), 'platform RecordableHistogram to-json'],
  ['instance of a class without a name', new Silent(), 'object empty class-instance'],
  [
    'proxy as prototype',
    Object.create(new Proxy({}, { getPrototypeOf: boom, get: boom })),
    'object empty class-instance',
  ],
  ['other realm', runInNewContext('({a:1})'), 'object other-realm'],
  ['read-only', withKey({ configurable: true, enumerable: true }), 'object read-only sent-fixed'],
  ['last index', { 4294967294: 1 }, 'object indexed-key'],
  ['beyond the last index', { 4294967295: 1, '-1': 1, '01': 1 }, 'object'],
  ['own __proto__', JSON.parse('{"__proto__":1}'), 'object proto-key'],
  ['toJSON that is no method', { toJSON: 1 }, 'object'],
  ['inherited toJSON', Object.create({ toJSON: boom }), 'object empty class-instance to-json'],
  ['sealed', Object.seal({ a: 1 }), 'object non-configurable non-extensible sealed'],
  ['frozen', Object.freeze({ a: 1 }), 'object non-configurable read-only non-extensible sealed frozen'],
  ['frozen empty', Object.freeze({}), 'object empty non-extensible sealed frozen'],
  ['spoofed tag', withGetter(Symbol.toStringTag), 'object accessor symbol-key'],
  ['spoofed Date', { [Symbol.toStringTag]: 'Date' }, 'object symbol-key'],
  [
    'arguments',
    runInThisContext('(function () { return arguments; })(1)'),
    'arguments non-enumerable symbol-key indexed-key',
  ],
  ['symbol on an array', named([1], Symbol('s')), 'array symbol-key'],
  ['array without prototype', Object.setPrototypeOf([1], null), 'array null-prototype'],
  ['array of another realm', runInNewContext('[1]'), 'array other-realm'],
  ['frozen array', Object.freeze([1]), 'array non-configurable read-only non-extensible sealed frozen'],
  ['closed array', Object.preventExtensions([1]), 'array non-extensible'],
  ['accessor element', Object.defineProperty([1], 0, { get: boom }), 'array accessor enumerable-accessor'],
  ['map subclass', new (class Store extends Map {})(), 'map Store empty subclass'],
  ['map in disguise', Object.setPrototypeOf(new Map([[1, 2]]), Object.prototype), 'map Object subclass'],
  ['error whose name is a symbol', errorWith({ name: Symbol('s') }), 'not-cloneable Error'],
  ['symbol message', Object.assign(new TypeError('x'), { message: Symbol('s') }), 'not-cloneable TypeError'],
  ['type error of another realm', runInNewContext('new TypeError("x")'), 'error TypeError'],
  ['aggregate', new AggregateError([1], 'x'), 'error AggregateError subclass aggregate'],
  ['frozen date', Object.freeze(new Date(0)), 'date non-extensible sealed frozen'],
  ['typed array with props', named(new Uint8Array(2)), 'typedarray Uint8Array extra-props'],
  ['buffer subclass', new (class Memory extends ArrayBuffer {})(2), 'arraybuffer subclass'],
  [
    'hidden property of an array',
    Object.defineProperty([1], 'raw', { value: 1 }),
    'array non-enumerable non-configurable read-only named-props',
  ],
  ['boxed bigint', Object(1n), 'boxed BigInt'],
  ['empty buffer', new ArrayBuffer(0), 'arraybuffer empty'],
  ['detached buffer', detached(new Uint8Array(8)).buffer, 'arraybuffer empty detached'],
  ['shared wasm memory', sharedMemory(), 'sharedarraybuffer wasm-memory non-extensible'],
  ['veiled array', Object.setPrototypeOf(new Int8Array(2), Array.prototype), 'typedarray Int8Array subclass'],
  ['view on detached', detached(new Uint8Array(8)), 'typedarray Uint8Array empty detached'],
  ['data view on detached', detached(new DataView(new ArrayBuffer(8))), 'dataview DataView empty detached'],
  ['length-tracking view', new Uint8Array(resizable()), 'typedarray Uint8Array resizable length-tracking'],
  ['pooled Buffer', Buffer.from('abc'), 'typedarray Uint8Array view-of-larger pooled node-buffer'],
  [
    'subclass of Buffer',
    Object.setPrototypeOf(Buffer.alloc(3), Object.create(Buffer.prototype)),
    'typedarray Uint8Array node-buffer subclass',
  ],
  ['data view', new DataView(new ArrayBuffer(8), 4), 'dataview DataView view-of-larger'],
];

for (const [title, probe] of [
  ['by V8', asked],
  ['as assumed', assumed],
] as const)
  test(`every kind and flag, ${title}`, () => {
    for (const [name, value, expected] of ROWS) assert.equal(rootFacts(value, probe), expected, name);
  });

/** Storage flags only, from V8 and assumed. */
const STORAGE: [string, unknown, string][] = [
  ['Latin-1', 'caf\u00e9', 'one-byte'],
  ['two-byte', '\u263a', 'two-byte'],
  ['fast object', { a: 1 }, ''],
  ['null prototype', Object.assign(Object.create(null), { a: 1 }), 'dictionary'],
  ['ints', [1, 2], 'packed-smi'],
  ['doubles', [1.5, 2], 'packed-double'],
  ['mixed', [1, 'a'], 'packed-elements'],
  ['holes', runInThisContext('[1, , 3]'), 'holey-kind'],
  ['frozen', Object.freeze([1]), 'not-fast-elements'],
  ['closed', Object.preventExtensions([1]), 'not-fast-elements'],
  ['accessor element', Object.defineProperty([1], 0, { get: boom }), 'dictionary-elements'],
];

test('storage: V8 and the assumption agree on observable facts', () => {
  for (const [name, value, expected] of STORAGE)
    for (const probe of [asked, assumed]) {
      const flags = describe(value, probe).patterns[0]!.flags.filter((f) => STORED_FLAGS.test(f));
      assert.equal(flags.join(' '), expected, `${name}, ${probe.storage.by}`);
    }
});

test('storage: facts that only V8 has', () => {
  const filled: number[] = new Array(2);
  filled[0] = 1;
  filled[1] = 2;
  const scarred: Record<string, number> = { a: 1, b: 2, c: 3 };
  Reflect.deleteProperty(scarred, 'a');
  const wide = `${'a'.repeat(100)}\u263a`.slice(0, 100);
  assert.deepEqual(describe(filled, asked).patterns[0]!.flags, ['holey-kind']);
  assert.deepEqual(describe(scarred, asked).patterns[0]!.flags, ['dictionary']);
  assert.deepEqual(describe(wide, asked).patterns[0]!.flags, ['two-byte', 'ascii-in-two-byte']);
  assert.deepEqual(describe(wide, asked).patterns[0]!.bytes, { total: 200, max: 200 });
  const repeated = describe([wide, [wide]], asked).patterns.filter(({ flags }) => flags.includes('repeated'));
  assert.deepEqual(
    repeated.map(({ flags }) => flags),
    [['repeated', 'two-byte', 'ascii-in-two-byte']],
  );
});

test('JSON objects are assumed to be dictionaries exactly if V8 stores them that way', async () => {
  const parsedBy = await probeFor({ assume: 'v8', fromJson: true });
  const isDictionary = (value: unknown, probe: Probe) =>
    describe(value, probe, { fromJson: true }).patterns[0]?.flags.includes('dictionary');
  for (const size of [1, 20, 127, 128, 1019, 1100]) {
    const object: unknown = JSON.parse(
      `{${Array.from({ length: size }, (_, i) => `"k${i}": ${i}`).join(',')}}`,
    );
    assert.equal(isDictionary(object, parsedBy), isDictionary(object, asked), `${size}`);
  }
});

const ofJsc = await probeFor({ assume: 'jsc' });
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

test('objects with hidden state get their own row', () => {
  const shape = withHidden(describe(rows(5), ofJsc), ['$[1]', '$[3]']);
  const found = shape.patterns
    .filter((f) => f.pattern === '$[*]')
    .map(({ flags, count, example, size }) => ({ flags, count, example, size }));
  assert.deepEqual(found, [
    { flags: ['history-unknown'], count: 3, example: '$[0]', size: { min: 1, max: 1, total: 5 } },
    { flags: ['history-unknown', 'hidden-state'], count: 2, example: '$[1]', size: undefined },
  ]);
});

test('a row of only such objects gets the flag', () => {
  const before = describe({ a: 1 }, ofJsc);
  const after = withHidden(before, ['$']);
  assert.deepEqual(after.patterns[0], { ...before.patterns[0], flags: ['history-unknown', 'hidden-state'] });
  assert.deepEqual(after.patterns.slice(1), before.patterns.slice(1));
  assert.deepEqual(before.patterns[0]!.flags, ['history-unknown']);
});

test('paths that match no object change nothing', () => {
  const shape = describe(rows(2), ofJsc);
  for (const paths of [[], ['$.none'], ['no path'], ['$[0].id']])
    assert.deepEqual(withHidden(shape, paths), shape);
});

test('storage as JavaScriptCore normally has it', async () => {
  const cases: [unknown, string][] = [
    [[1, 2], 'int32-storage storage-unknown'],
    [[1, 2.5], 'double-storage storage-unknown'],
    [[-0], 'double-storage storage-unknown'],
    [[2 ** 31], 'double-storage storage-unknown'],
    [[Number.NaN, 1.5], 'contiguous storage-unknown'],
    [['a', 1], 'contiguous storage-unknown'],
    [[], 'undecided storage-unknown'],
    [Object.freeze([1]), 'array-storage'],
    [Object.preventExtensions([1]), 'array-storage'],
    [{ 0: 1 }, 'indexed-storage'],
    ['x'.repeat(256), 'share-unknown'],
    ['x'.repeat(255), ''],
  ];
  const stored = /storage|undecided|contiguous|share/;
  for (const [value, expected] of cases) {
    const flags = describe(value, ofJsc).patterns[0]!.flags.filter((f) => stored.test(f));
    assert.equal(flags.join(' '), expected, JSON.stringify(value));
  }
  const fromJson = await probeFor({ assume: 'jsc', fromJson: true });
  for (const value of ['x'.repeat(256), [], [1], { a: 1 }]) {
    const { flags } = describe(value, fromJson).patterns[0]!;
    assert.ok(!flags.some((flag) => flag.endsWith('-unknown')), flags.join(' '));
  }
});

test('of an AggregateError, Firefox alone sends class and errors', () => {
  const told = (engine: 'spidermonkey' | 'v8') =>
    describe(new AggregateError([() => 1], 'x'), { ...ofJsc, storage: assumedStorage(engine) }).patterns.map(
      ({ pattern, kind, flags }) => [pattern, kind, ...flags].join(' '),
    );
  assert.deepEqual(told('v8').slice(0, 1), ['$ error subclass aggregate']);
  assert.deepEqual(told('spidermonkey').slice(0, 1), ['$ error']);
  assert.ok(told('spidermonkey').includes('$.errors[*] function'), told('spidermonkey').join('\n'));
  assert.ok(!told('v8').join().includes('errors'), told('v8').join('\n'));
});

test('engines without known storage get no storage flags', () => {
  for (const engine of ['spidermonkey', 'webkit'] as const) {
    const none: Probe = { ...ofJsc, storage: assumedStorage(engine) };
    const shape = describe([{ 0: 1 }, 'x'.repeat(300)], none);
    assert.deepEqual(shape.patterns[0]!.flags, []);
    assert.deepEqual(shape.representation, { by: 'assumed', engine });
  }
});

class Point {
  x = 1;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const shared = { a: 1 };

test('the value that JSON text does not give back', () => {
  const rows: [value: unknown, obstacle: string | null][] = [
    [{ a: [1, 'x', null, true, { b: {} }] }, null],
    [['\ud800'], null],
    [JSON.parse('{"__proto__":{"a":1}}'), null],
    [{ 1: 'a', 0: 'b' }, null],
    [Object.freeze({ a: 1 }), null],
    [['x'.repeat(100), 'x'.repeat(100)], null],
    ['text', '$ is one string'],
    [null, '$ is null'],
    [new Map(), '$ is of type Map'],
    [{ rows: [{ at: 1 }, { at: new Date(0) }] }, '$.rows[1].at is of type Date'],
    [{ a: 1, b: undefined }, '$.b is of type undefined'],
    [{ a: [1, Number.NaN] }, '$.a[1] is NaN'],
    [[-0], '$[0] is -0'],
    [[Number.POSITIVE_INFINITY], '$[0] is not finite'],
    [Object(1), '$ is of type Number'],
    [Object.create(null), '$ has no prototype'],
    [new (class A extends Array {})(), '$ is an instance of a subclass'],
    [{ [Symbol('s')]: 1 }, '$ has a symbol as a key'],
    [Object.defineProperty({}, 'a', { value: 1 }), '$ has a property that is not enumerable'],
    [Object.assign([1], { a: 1 }), '$ has properties beside its elements'],
    [{ toJSON: () => 1 }, '$ has a toJSON method'],
    [{ a: new Array(3) }, '$.a has holes'],
    [{ a: 1n }, '$.a is of type BigInt'],
    [{ a: new Point() }, '$.a is an instance of a class'],
    [{ a: shared, b: shared }, '$.b occurs more than once'],
    [{ a: () => 1 }, '$.a is of type function'],
    [nested(2500), '$ is nested more than 2000 levels deep'],
  ];
  for (const [value, expected] of rows) {
    const shape = describe(value, assumed);
    const found = jsonObstacle(shape);
    assert.equal(found && `${found.path} ${found.what}`, expected);
    if (expected === null) assert.deepEqual(JSON.parse(JSON.stringify(value)), value);
    // One string or null alone is safe, and is not worth a text.
    const isAlone = value === null || typeof value === 'string';
    assert.equal(shape.jsonSafe, expected === null || isAlone, String(expected));
  }
  assert.equal(jsonObstacle(null), null);
});
