/** Ways to make an array and to change it, as code. `v` is the array. */
import type { StepCode } from './objects.ts';

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
