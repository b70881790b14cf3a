/** Ways to make an object or an array and to change it, as code. `v` is the object or array. */

export type StepCode = (at: number, value: string) => string;

/** `entries`: source of each value by its key. */
export const OBJECTS: Readonly<Record<string, (entries: [string, string][]) => string>> = {
  literal: (entries) => `({ ${members(entries)} })`,
  assigned: (entries) => assigned('{}', entries),
  'Object.assign': (entries) => `Object.assign({}, { ${members(entries)} })`,
  spread: (entries) => `({ ...{ ${members(entries)} } })`,
  rest: (entries) => `(({ unwanted, ...rest }) => rest)({ unwanted: 1, ${members(entries)} })`,
  fromEntries: (entries) => `Object.fromEntries([${pairs(entries)}])`,
  'null prototype': (entries) => assigned('Object.create(null)', entries),
  'null prototype literal': (entries) => `({ __proto__: null, ${members(entries)} })`,
  'own prototype': (entries) => assigned('Object.create({ inherited: 1 })', entries),
  'prototype in the literal': (entries) => `({ __proto__: { inherited: 1 }, ${members(entries)} })`,
  instance: (entries) => `new (class Point { ${fields(entries)} })()`,
  'instance by constructor': (entries) =>
    `new (class Point { constructor() { ${writes('this', entries)} } })()`,
  'instance of a function': (entries) => `new (function Point() { ${writes('this', entries)} })()`,
  'instance with methods': (entries) =>
    `new (class Point { ${fields(entries)} get twice() { return 2; } run() {} static make() {} })()`,
  'instance of a subclass': (entries) =>
    `new (class extends (class Base { base = 1; }) { ${fields(entries)} })()`,
  'instance with a #field': (entries) => `new (class Secret { #hidden = 1; ${fields(entries)} })()`,
  'instance with a #method': (entries) =>
    `new (class Branded { #hidden() {} ${fields(entries)} run() { this.#hidden(); } })()`,
  'instance with a #accessor': (entries) =>
    `new (class Branded { get #hidden() { return 1; } ${fields(entries)} run() { return this.#hidden; } })()`,
  'instance with a static #field': (entries) =>
    `new (class Counted { static #count = 1; ${fields(entries)} })()`,
  'JSON.parse': (entries) =>
    `((v) => { try { return JSON.parse(JSON.stringify(v)); } catch { return v; } })({ ${members(entries)} })`,
  received: (entries) =>
    `((v) => { try { return structuredClone(v); } catch { return v; } })({ ${members(entries)} })`,
  defined: (entries) =>
    `Object.defineProperties({}, { ${entries.map(([key, value]) => `${name(key)}: { value: ${value}, writable: true, enumerable: true, configurable: true }`).join(', ')} })`,
  'groups of a match': (entries) => assigned('/(?<first>.)(?<second>.)/.exec("ab").groups', entries),
  'other realm': (entries) => assigned('otherRealm("({})")', entries),
  'Reflect.construct': (entries) => assigned('Reflect.construct(Object, [], class Odd {})', entries),
  'instance of a class named Event': (entries) => `new (class Event { ${fields(entries)} })()`,
  'instance of a class named MessagePort': (entries) => `new (class MessagePort { ${fields(entries)} })()`,
  'instance of a class named Table': (entries) => `new (class Table { ${fields(entries)} })()`,
  grouped: (entries) => assigned('Object.groupBy === undefined ? {} : Object.groupBy([], String)', entries),
};

const name = (key: string) => `[${JSON.stringify(key)}]`;
const members = (entries: [string, string][]) =>
  entries.map(([key, value]) => `${plainName(key) ?? name(key)}: ${value}`).join(', ');
const fields = (entries: [string, string][]) =>
  entries.map(([key, value]) => `${name(key)} = ${value};`).join(' ');
const pairs = (entries: [string, string][]) =>
  entries.map(([key, value]) => `[${JSON.stringify(key)}, ${value}]`).join(', ');
const writes = (target: string, entries: [string, string][]) =>
  entries.map(([key, value]) => `${target}${name(key)} = ${value};`).join(' ');
const assigned = (made: string, entries: [string, string][]) =>
  `((o) => { ${writes('o', entries)} return o; })(${made})`;

/** Written as a plain name, so that the literal has one hidden class from the start. */
function plainName(key: string): string | null {
  return /^[a-z]\w*$/.test(key) ? key : null;
}

const keyAt = (at: number) => `Object.keys(v)[${at} % (Object.keys(v).length || 1)] ?? "a"`;
const redefine = (at: number, attributes: string) => `Object.defineProperty(v, ${keyAt(at)}, ${attributes})`;
const define = (attributes: string) => `Object.defineProperty(v, "defined", ${attributes})`;
const OPEN = '{ value: 2, writable: true, enumerable: true, configurable: true }';

/** Hidden state that no reflection shows: a deleted property, a #private member, an attribute changed and restored. */
export const HIDDEN_STATE_STEPS: Readonly<Record<string, StepCode>> = {
  'delete first': () => 'delete v[Object.keys(v)[0]]',
  'delete last': () => 'delete v[Object.keys(v).at(-1)]',
  'delete one': (at) => `delete v[${keyAt(at)}]`,
  'delete all': () => 'for (const key of Object.keys(v)) delete v[key]',
  'delete and add again': (at) => `const key = ${keyAt(at)}, was = v[key]; delete v[key]; v[key] = was`,
  'add and delete': (_, value) => `v.passing = ${value}; delete v.passing`,
  'Reflect.deleteProperty': (at) => `Reflect.deleteProperty(v, ${keyAt(at)})`,
  'symbol, deleted': () => 'const s = Symbol(); v[s] = 1; delete v[s]',
  'index, deleted': (at) => `v[${at}] = 1; delete v[${at}]`,
  'getter made data': () =>
    `${define('{ get: () => 1, enumerable: true, configurable: true }')}; ${define(OPEN)}`,
  'hidden, shown again': () =>
    `${define('{ value: 1, writable: true, configurable: true }')}; ${define(OPEN)}`,
  'stamped #field': () => 'new (class extends (function (o) { return o; }) { #stamp = 1; })(v)',
  'stamped #method': () =>
    'new (class extends (function (o) { return o; }) { #stamp() {} run() { this.#stamp(); } })(v)',
};

/** All other changes of an object. */
export const OBJECT_STEPS: Readonly<Record<string, StepCode>> = {
  'delete what is missing': () => 'delete v.missing',
  'add key': (at, value) => `v["added" + ${at}] = ${value}`,
  overwrite: (at, value) => `v[${keyAt(at)}] = ${value}`,
  getter: (_, value) => define(`{ get: ((x) => () => x)(${value}), enumerable: true, configurable: true }`),
  'hidden getter': (_, value) => define(`{ get: ((x) => () => x)(${value}), configurable: true }`),
  'throwing getter': () =>
    define('{ get() { throw new Error("no"); }, enumerable: true, configurable: true }'),
  'setter only': () => define('{ set(_) {}, enumerable: true, configurable: true }'),
  'made a getter': (at, value) => redefine(at, `{ get: ((x) => () => x)(${value}) }`),
  'non-enumerable': (_, value) => define(`{ value: ${value}, writable: true, configurable: true }`),
  'made non-enumerable': (at) => redefine(at, '{ enumerable: false }'),
  'non-configurable': (_, value) => define(`{ value: ${value}, writable: true, enumerable: true }`),
  'made non-configurable': (at) => redefine(at, '{ configurable: false }'),
  'read-only': (_, value) => define(`{ value: ${value}, enumerable: true, configurable: true }`),
  'made read-only': (at) => redefine(at, '{ writable: false }'),
  'symbol key': (_, value) => `v[Symbol("s")] = ${value}`,
  'hidden symbol key': () => 'Object.defineProperty(v, Symbol("s"), { value: 1, configurable: true })',
  'index key': (at, value) => `v[${at}] = ${value}`,
  'index key above': (at, value) => `v["${4294967294 + (at % 3)}"] = ${value}`,
  'nearly an index': (at, value) =>
    `v[${JSON.stringify(['-1', '01', '1.5', '1e3', ' 1'][at % 5])}] = ${value}`,
  freeze: () => 'Object.freeze(v)',
  seal: () => 'Object.seal(v)',
  preventExtensions: () => 'Object.preventExtensions(v)',
  'prototype null': () => 'Object.setPrototypeOf(v, null)',
  'prototype plain': () => 'Object.setPrototypeOf(v, { inherited: 1 })',
  'prototype with index': () => 'Object.setPrototypeOf(v, { 0: 1 })',
  'prototype with getter': () => 'Object.setPrototypeOf(v, { get inherited() { return 1; } })',
  'prototype of another class': () => 'Object.setPrototypeOf(v, (class Other {}).prototype)',
  'prototype a Proxy': () => 'Object.setPrototypeOf(v, new Proxy({}, {}))',
  'prototype there and back': () =>
    'const was = Object.getPrototypeOf(v); Object.setPrototypeOf(v, null); Object.setPrototypeOf(v, was)',
  'used as prototype': () => 'Object.create(v)',
  'own __proto__': (_, value) =>
    `Object.defineProperty(v, "__proto__", { value: ${value}, writable: true, enumerable: true, configurable: true })`,
  'holds itself': () => 'v.self = v',
  'computed keys': (at) => `for (let i = 0; i < ${at * 5}; i++) v["c" + i] = i`,
  'read through': () => 'JSON.stringify(v); for (const key in v) v[key]',
  'sent before': () => 'structuredClone(v)',
  'toJSON method': () => 'v.toJSON = () => 1',
  'hidden toJSON method': () => define('{ value: () => 1, configurable: true }'),
};

/** `list`: the elements, separated by commas. `count`: how many. */
export const ARRAYS: Readonly<Record<string, (list: string, count: number) => string>> = {
  literal: (list) => `[${list}]`,
  pushed: (list) => `((a) => { ${each(list, 'a.push(x)')} return a; })([])`,
  'Array.of': (list) => `Array.of(${list})`,
  'Array.from': (list) => `Array.from([${list}])`,
  'Array.from with map': (list) => `Array.from([${list}], (x) => x)`,
  'new Array, filled': (list, count) =>
    `((a) => { let i = 0; ${each(list, 'a[i++] = x')} return a; })(new Array(${count}))`,
  'filled from behind': (list, count) =>
    `((a) => { let i = ${count}; ${each(list, 'a[--i] = x')} return a; })([])`,
  'new Array, fill': (list, count) => `new Array(${count}).fill(${list === '' ? '0' : `[${list}][0]`})`,
  spread: (list) => `[...[${list}]]`,
  'spread of a Set': (list) => `[...new Set([${list}])]`,
  mapped: (list) => `[${list}].map((x) => x)`,
  filtered: (list) => `[${list}].filter(() => true)`,
  sliced: (list) => `[${list}].slice()`,
  concatenated: (list) => `[].concat([${list}])`,
  flattened: (list) => `[[${list}]].flat()`,
  'JSON.parse': (list) =>
    `((v) => { try { return JSON.parse(JSON.stringify(v)); } catch { return v; } })([${list}])`,
  received: (list) => `((v) => { try { return structuredClone(v); } catch { return v; } })([${list}])`,
  'Object.values': (list) => `Object.values({ ...[${list}] })`,
  'Object.entries': (list) => `Object.entries({ ...[${list}] })`,
  'Object.keys': (list) => `Object.keys({ ...[${list}] })`,
  subclass: (list) => `(class List extends Array {}).of(${list})`,
  'subclass with a field': (list) => `(class List extends Array { label = "x"; }).of(${list})`,
  'subclass with a #field': (list) => `(class List extends Array { #hidden = 1; }).of(${list})`,
  'other realm': (list) => `((a) => { ${each(list, 'a.push(x)')} return a; })(otherRealm("[]"))`,
  'rest parameters': (list) => `((...rest) => rest)(${list})`,
  'spread of a typed array': (_, count) => `[...new Float64Array(${count})]`,
  'Array.from a typed array': (_, count) => `Array.from(new Int32Array(${count}))`,
  split: (_, count) => `"a b c d e f".split(" ", ${count})`,
  matched: () => '"abc".match(/b/)',
  'matched globally': () => '"abc".match(/./g)',
  'template strings': () => '((strings) => strings)`ab`',
  sorted: (list) => `[${list}].sort(() => 0)`,
  'to reversed': (list) => `[${list}].toReversed()`,
};

/** Evaluates each element in turn, without an array in between that would have a storage of its own. */
function each(list: string, then: string): string {
  return list === '' ? '' : `const put = (...xs) => { for (const x of xs) ${then}; }; put(${list});`;
}

/** Elements `from` to `from + count` of one sort. */
export const BULKS: Readonly<Record<string, string>> = {
  ints: 'i',
  doubles: 'i + 0.5',
  'ints, then a double': 'i === 3 ? 0.5 : i',
  texts: '"t" + i',
  'long texts': '"x".repeat(256 + i)',
  booleans: 'i % 2 === 0',
  nothing: 'undefined',
  rows: '({ id: i, name: "n" + i })',
  'rows of two shapes': 'i % 2 ? { id: i } : { name: "n" + i }',
  'rows and numbers': 'i % 3 ? i : { id: i }',
  'nested rows': '({ id: i, at: { x: i } })',
  pairs: '[i, "n" + i]',
  bigints: 'BigInt(i)',
};

const element = (at: number) => `${at} % (v.length || 1)`;

export const ARRAY_STEPS: Readonly<Record<string, StepCode>> = {
  'delete element': (at) => `delete v[${element(at)}]`,
  'delete element, fill': (at, value) => `delete v[${element(at)}]; v[${element(at)}] = ${value}`,
  'raise length': (at) => `v.length += ${at + 1}`,
  'raise length, fill': (at) => `const was = v.length; v.length += ${at + 1}; v.fill(1, was)`,
  'shrink length': (at) => `v.length = Math.max(0, v.length - ${at})`,
  'length 0': () => 'v.length = 0',
  'length 0, push': (_, value) => `v.length = 0; v.push(${value})`,
  shift: (at) => `for (let i = 0; i <= ${at % 3}; i++) v.shift()`,
  unshift: (_, value) => `v.unshift(${value})`,
  push: (_, value) => `v.push(${value})`,
  pop: () => 'v.pop()',
  splice: (at, value) => `v.splice(${element(at)}, 1, ${value})`,
  'splice out': (at) => `v.splice(${element(at)}, 2)`,
  reverse: () => 'v.reverse()',
  sort: () => 'v.sort()',
  fill: (_, value) => `v.fill(${value})`,
  copyWithin: () => 'v.copyWithin(0, 1)',
  'store a double': (at) => `v[${element(at)}] = 1.5`,
  'store NaN': (at) => `v[${element(at)}] = NaN`,
  'store a text': (at) => `v[${element(at)}] = "s"`,
  'store and restore': (at) =>
    `const was = v[${element(at)}]; v[${element(at)}] = "s"; v[${element(at)}] = was`,
  store: (at, value) => `v[${element(at)}] = ${value}`,
  'store just behind': (at, value) => `v[v.length + ${at % 3}] = ${value}`,
  'store far behind': (at, value) => `v[${[998, 999, 1000, 1001, 5000, 100_000][at % 6]}] = ${value}`,
  'named property': (_, value) => `v.total = ${value}`,
  'named property, deleted': () => 'v.total = 1; delete v.total',
  'hidden named property': () => 'Object.defineProperty(v, "total", { value: 1, configurable: true })',
  'nearly an index': (at) => `v[${JSON.stringify(['-1', '01', '4294967295', '1.5'][at % 4])}] = 1`,
  'symbol property': () => 'v[Symbol("s")] = 1',
  'symbol property, deleted': () => 'const s = Symbol(); v[s] = 1; delete v[s]',
  freeze: () => 'Object.freeze(v)',
  seal: () => 'Object.seal(v)',
  preventExtensions: () => 'Object.preventExtensions(v)',
  'getter element': (at, value) =>
    `Object.defineProperty(v, ${element(at)}, { get: ((x) => () => x)(${value}), enumerable: true, configurable: true })`,
  'read-only element': (at) => `Object.defineProperty(v, ${element(at)}, { writable: false })`,
  'hidden element': (at) => `Object.defineProperty(v, ${element(at)}, { enumerable: false })`,
  'fixed element': (at) => `Object.defineProperty(v, ${element(at)}, { configurable: false })`,
  'defined element': (at, value) =>
    `Object.defineProperty(v, ${element(at)}, { value: ${value}, writable: true, enumerable: true, configurable: true })`,
  'read-only length': () => 'Object.defineProperty(v, "length", { writable: false })',
  'prototype null': () => 'Object.setPrototypeOf(v, null)',
  'prototype plain': () => 'Object.setPrototypeOf(v, { label: "x" })',
  'prototype with index': () => 'Object.setPrototypeOf(v, { 0: 5 })',
  'prototype an array': () => 'Object.setPrototypeOf(v, [9])',
  'prototype an empty array': () => 'Object.setPrototypeOf(v, [])',
  'prototype a Proxy': () => 'Object.setPrototypeOf(v, new Proxy([], {}))',
  'prototype of Object': () => 'Object.setPrototypeOf(v, Object.prototype)',
  'prototype there and back': () =>
    'Object.setPrototypeOf(v, { label: "x" }); Object.setPrototypeOf(v, Array.prototype)',
  'used as prototype': () => 'Object.create(v)',
  'stamped #field': () => 'new (class extends (function (o) { return o; }) { #stamp = 1; })(v)',
  'holds itself': () => 'v.push(v)',
  'first element again': () => 'v.push(v[0])',
  'sent before': () => 'structuredClone(v)',
  'read through': () => 'JSON.stringify(v); for (const x of v) x; v.indexOf(1)',
  'copy: slice': () => 'v = v.slice()',
  'copy: spread': () => 'v = [...v]',
  'copy: map': () => 'v = v.map((x) => x)',
  'copy: Array.from': () => 'v = Array.from(v)',
  'copy: Array.from with map': () => 'v = Array.from(v, (x) => x)',
  'copy: concat': (_, value) => `v = v.concat([${value}])`,
  'copy: filter': () => 'v = v.filter((x) => x !== undefined)',
  'copy: flat': () => 'v = v.flat()',
  'copy: clone': () => 'v = structuredClone(v)',
  'copy: JSON': () => 'v = JSON.parse(JSON.stringify(v))',
  'copy: splice': () => 'v = v.splice(0)',
  'copy: toSorted': () => 'v = v.toSorted()',
  'copy: with': (_, value) => `v = v.with(0, ${value})`,
};
