/** Ways to make an object and to change it, as code. `v` is the object. */

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
