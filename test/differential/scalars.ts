/** Primitives, built-in objects and things that cannot be cloned, as expressions. */

export const SCALARS: readonly string[] = [
  '0', '1', '-1', '7', '1.5', '-0', 'NaN', 'Infinity', '-Infinity', '2 ** 30', '2 ** 30 - 1', '-(2 ** 30) - 1',
  '2 ** 31', '2 ** 31 - 1', '-(2 ** 31)', '2 ** 32', '1e21', '5e-324', 'true', 'false', 'null', 'undefined',
];

export const RARE_SCALARS: readonly string[] = ['1n', '-(2n ** 64n)', '0n', 'Symbol("s")', '(() => 1)', 'class A {}'];

export const BUILTINS: readonly string[] = [
  'new Date(0)', 'new Date(NaN)', '/a/g', 'new RegExp("")', 'new Number(1)', 'new String("s")', 'new Boolean(false)',
  'Object(1n)', 'Object(Symbol())', 'new Uint8Array(8)', 'new Float64Array([1.5, NaN])', 'new BigInt64Array(2)',
  'new Uint8Array(new ArrayBuffer(64), 8, 4)', 'new Uint8Array(100).subarray(10, 20)', 'new DataView(new ArrayBuffer(8))',
  'new DataView(new ArrayBuffer(64), 8, 8)', 'new ArrayBuffer(8)', 'new ArrayBuffer(0)', 'new Uint8Array(0)',
  'new SharedArrayBuffer(8)', 'new Int32Array(new SharedArrayBuffer(8))', 'new ArrayBuffer(8, { maxByteLength: 16 })',
  'new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 }))', 'Buffer.from("abc")', 'Buffer.alloc(8)', 'new Map()',
  'new Set()', 'new WeakMap()', 'new WeakSet()', 'new WeakRef({})', 'Promise.resolve(1)', 'new Proxy({}, {})',
  'new Proxy([], {})', 'new Error("e")', 'new TypeError("e")', 'new (class Mine extends Error {})("e")',
  'new AggregateError([1], "e")', 'new Error("e", { cause: 1 })', '(function* () {})()', '[].values()', 'new Map().keys()',
  '(function () { return arguments; })(1, 2)', 'Math', 'JSON', 'globalThis.Intl && new Intl.NumberFormat("en")',
  'structuredClone(new Date(0))', 'new (class Day extends Date {})(0)', 'new (class Table extends Map {})()',
  'Object.freeze(new Date(0))', 'Object.assign(new Date(0), { extra: 1 })', 'Object.assign(new Map(), { extra: 1 })',
  '((b) => (structuredClone(b, { transfer: [b] }), b))(new ArrayBuffer(8))',
  '((b) => (structuredClone(b.buffer, { transfer: [b.buffer] }), b))(new Uint8Array(8))', 'Array.prototype', 'Object(1)',
];
