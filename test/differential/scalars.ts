/** Primitives, built-in objects and values that cannot be cloned, as expressions. */

export const SCALARS: readonly string[] = [
  ...'0, 1, -1, 7, 1.5, -0, NaN, Infinity, -Infinity, 2 ** 30, 2 ** 30 - 1, -(2 ** 30) - 1'.split(', '),
  ...'2 ** 31, 2 ** 31 - 1, -(2 ** 31), 2 ** 32, 1e21, 5e-324, true, false, null, undefined'.split(', '),
];

export const RARE_SCALARS: readonly string[] =
  '1n, -(2n ** 64n), 0n, Symbol("s"), (() => 1), class A {}'.split(', ');

export const BUILTINS: readonly string[] = [
  'new Date(0)',
  'new Date(NaN)',
  '/a/g',
  'new RegExp("")',
  'new Number(1)',
  'new String("s")',
  'new Boolean(false)',
  'Object(1n)',
  'Object(Symbol())',
  'new Uint8Array(8)',
  'new Float64Array([1.5, NaN])',
  'new BigInt64Array(2)',
  'new Uint8Array(new ArrayBuffer(64), 8, 4)',
  'new Uint8Array(100).subarray(10, 20)',
  'new DataView(new ArrayBuffer(8))',
  'new DataView(new ArrayBuffer(64), 8, 8)',
  'new ArrayBuffer(8)',
  'new ArrayBuffer(0)',
  'new Uint8Array(0)',
  'new SharedArrayBuffer(8)',
  'new Int32Array(new SharedArrayBuffer(8))',
  'new ArrayBuffer(8, { maxByteLength: 16 })',
  'new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 }))',
  'Buffer.from("abc")',
  'Buffer.alloc(8)',
  'new Map()',
  'new Set()',
  'new WeakMap()',
  'new WeakSet()',
  'new WeakRef({})',
  '[Promise.resolve(1)]',
  'new Proxy({}, {})',
  'new Proxy([], {})',
  'new Error("e")',
  'new TypeError("e")',
  'new (class Mine extends Error {})("e")',
  'new AggregateError([1], "e")',
  'new Error("e", { cause: 1 })',
  '(function* () {})()',
  '[].values()',
  'new Map().keys()',
  '(function () { return arguments; })(1, 2)',
  'Math',
  'JSON',
  'globalThis.Intl && new Intl.NumberFormat("en")',
  'structuredClone(new Date(0))',
  'new (class Day extends Date {})(0)',
  'new (class Table extends Map {})()',
  'Object.freeze(new Date(0))',
  'Object.assign(new Date(0), { extra: 1 })',
  'Object.assign(new Map(), { extra: 1 })',
  '((b) => (structuredClone(b, { transfer: [b] }), b))(new ArrayBuffer(8))',
  '((b) => (structuredClone(b.buffer, { transfer: [b.buffer] }), b))(new Uint8Array(8))',
  'Array.prototype',
  '((b) => ((v) => (b.resize(4), v))(new Uint8Array(b, 8)))(new ArrayBuffer(16, { maxByteLength: 64 }))',
  '((b) => ((v) => (b.resize(4), v))(new DataView(b, 8)))(new ArrayBuffer(16, { maxByteLength: 64 }))',
  '((b) => ((v) => (b.resize(8), v))(new Uint8Array(b, 8)))(new ArrayBuffer(16, { maxByteLength: 64 }))',
  '[].values().map ? [1].values().map(String) : 1',
  'globalThis.Iterator?.from ? Iterator.from({ next() {} }) : 1',
  'globalThis.DisposableStack ? new DisposableStack() : 1',
  'globalThis.AsyncDisposableStack ? new AsyncDisposableStack() : 1',
  'JSON.rawJSON ? JSON.rawJSON("1") : 1',
  'new Intl.Segmenter("en").segment("a")',
  'new Intl.Segmenter("en").segment("a")[Symbol.iterator]()',
  'Object.prototype',
  'Object.setPrototypeOf({}, DOMException.prototype)',
  'new DOMException("e", "DataCloneError")',
  '((e) => ((e.cause = e), e))(new Error("e"))',
  '((e) => ((e.cause = { e }), e))(new Error("e"))',
  'new URL("https://example.com/")',
  'new Headers()',
  'new (class Event {})()',
  'new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))',
  'new WebAssembly.Memory({ initial: 1, maximum: 2 })',
];

const chain = (levels: number) =>
  `((v) => { for (let i = 0; i < ${levels}; i++) v = { v }; return v; })(null)`;
const holding = (code: string) => [code, `({ a: ${code} })`, `[${code}]`];

/** Each is built once and alone. */
export const RARE_ROOTS: readonly string[] = [
  ...['new URL("https://example.com/a")', 'new Date(0)', '1n'].flatMap(holding),
  '((c) => (c.port1.close(), c.port2.close(), c.port1))(new MessageChannel())',
  'new ReadableStream()',
  // The third instance of a class that is defined anew.
  '((make) => (make(), make(), make(), make()))(() => new (class Anew { x = 1 })())',
  'Symbol()',
  'new FormData()',
  chain(45_000),
  `((v) => { for (let i = 0; i < 2000; i++) v["k" + i] = i; for (let i = 0; i < 500; i++) delete v["k" + i]; return v; })({})`,
];

// Strings of every origin that engines store differently; `own(unit, count)` is the guest's.

/** Text of `units` code units, of which `unit` may take two. */
type Write = (unit: string, units: number) => string;

const quoted = JSON.stringify;
const half = (units: number) => units >> 1;

const SHORT = 16;

/**
 * A fresh flat string; `own` gives each build another text, because interning one text affects the next with the same
 * characters.
 */
const flat: Write = (unit, units) =>
  units < SHORT ? repeat(unit, units) : `own(${quoted(unit)}, ${Math.floor(units / unit.length)})`;
const repeat: Write = (unit, units) => `${quoted(unit)}.repeat(${Math.floor(units / unit.length)})`;
const kept = (then: string) => (unit: string, units: number) =>
  `((s) => { ${then}; return s; })(${flat(unit, units)})`;

export const TEXTS: Readonly<Record<string, Write>> = {
  repeat,
  literal: (unit, units) => quoted(unit.repeat(Math.floor(units / unit.length))),
  join: (unit, units) => `[${flat(unit, half(units))}, ${flat(unit, units - half(units))}].join("")`,
  rope: (unit, units) => `(${flat(unit, half(units))} + ${flat(unit, units - half(units))})`,
  'rope of pieces': (unit, units) =>
    `((s) => { for (let i = 0; i < ${Math.min(units, 600)}; i++) s += ${quoted(unit)}; return s; })("")`,
  'rope, read': (unit, units) =>
    `((s) => (s.charCodeAt(0), s))(${flat(unit, half(units))} + ${flat(unit, units - half(units))})`,
  'wide and narrow rope': (unit, units) => `(${flat(unit, half(units))} + ${flat('€', units - half(units))})`,
  template: (unit, units) => `\`\${${flat(unit, half(units))}}-\${${flat(unit, half(units))}}\``,
  'piece of flat': (unit, units) => `${flat(unit, units + 4)}.slice(${2 * unit.length})`,
  'piece of rope': (unit, units) => `("yy" + ${flat(unit, units)}).slice(2)`,
  'piece of wide': (unit, units) => `["€€", ${flat(unit, units)}].join("").slice(2)`,
  'piece of wide rope': (unit, units) => `("€€" + ${flat(unit, units)}).slice(2)`,
  'piece, nearly all': (unit, units) => `${flat(unit, units + 1)}.substring(0, ${units})`,
  'slice of the whole': (unit, units) => `${flat(unit, units)}.slice(0)`,
  split: (unit, units) => `(${flat(unit, units)} + ",b").split(",")[0]`,
  match: (unit, units) => `/^(.*)$/s.exec(${flat(unit, units)})[1]`,
  replace: (unit, units) => `("-" + ${flat(unit, units)}).replace("-", "+")`,
  'lower case': (_unit, units) => `${flat('X', units)}.toLowerCase()`,
  padded: (unit, units) => `"".padEnd(${units}, ${quoted(unit)})`,
  trimmed: (unit, units) => `(" " + ${flat(unit, units)}).trim()`,
  'of JSON': (unit, units) => `JSON.parse(JSON.stringify(${flat(unit, units)}))`,
  'member of JSON': (unit, units) => `JSON.parse(JSON.stringify({ a: ${flat(unit, units)} })).a`,
  'JSON text': (unit, units) => `JSON.stringify({ a: ${flat(unit, units)} })`,
  decoded: (unit, units) => `new TextDecoder().decode(new TextEncoder().encode(${flat(unit, units)}))`,
  buffer: (unit, units) => `Buffer.from(${flat(unit, units)}).toString()`,
  'latin1 buffer': (_unit, units) => `Buffer.alloc(${units}, 120).toString("latin1")`,
  'utf-16 buffer': (unit, units) => `Buffer.from(${flat(unit, units)}, "utf16le").toString("utf16le")`,
  base64: (_unit, units) => `btoa(${flat('x', units)})`,
  'used as key': kept('Reflect.set({}, s, 1)'),
  'asked as key': kept('s in {}'),
  'key of an object': (unit, units) => `Object.keys({ [${flat(unit, units)}]: 1 })[0]`,
  'key of a Map': kept('new Map([[s, 1]])'),
  received: (unit, units) => `structuredClone(${flat(unit, units)})`,
  'sent before': kept('structuredClone(s)'),
  'sent in a tree': kept('structuredClone({ a: { s } })'),
  'received in a tree': (unit, units) => `structuredClone({ a: { s: ${flat(unit, units)} } }).a.s`,
  'received in a row': (unit, units) => `structuredClone([{ s: ${flat(unit, units)} }])[0].s`,
  'message of an error': (unit, units) => `new Error(${flat(unit, units)}).message`,
  'description of a symbol': (unit, units) => `Symbol(${flat(unit, units)}).description`,
  'char codes': (_unit, units) =>
    `String.fromCharCode(...Array.from({ length: ${Math.min(units, 600)} }, (_, i) => 97 + (i % 26)))`,
  'two-byte char codes': (_unit, units) =>
    `String.fromCharCode(...Array.from({ length: ${Math.min(units, 600)} }, (_, i) => 0x3b1 + (i % 20)))`,
  number: (_unit, units) => `String(${units} * 1.5)`,
  'digits of a BigInt': (_unit, units) => `(10n ** ${Math.min(units, 600)}n).toString()`,
  normalized: (unit, units) => `${flat(unit, units)}.normalize()`,
  'source of a function': (unit, units) => `String(new Function("/* " + ${flat(unit, units)} + " */"))`,
  'concatenated by method': (unit, units) => `${flat(unit, half(units))}.concat(${flat(unit, half(units))})`,
  'unescaped uri': (unit, units) => `decodeURIComponent(encodeURIComponent(${flat(unit, units)}))`,
};

export const UNITS: readonly string[] = ['x', 'x', 'x', 'x', 'é', '€', '😀'];
/** Around the lengths at which an engine changes its storage. */
export const LENGTHS: readonly number[] = [
  0, 1, 2, 3, 9, 12, 13, 14, 60, 63, 64, 65, 127, 128, 129, 130, 200, 254, 255, 256, 257, 258, 300, 400, 512,
  513, 514, 515, 600, 1000, 5000,
];
