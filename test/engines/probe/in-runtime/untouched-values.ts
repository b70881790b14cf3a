/** Factories whose values are looked at, and one value of each from before any other code has run. Imports nothing. */

/** JSON texts are parsed and walked as such. Built-in functions that learn get small integers only. */
export const SOURCES = [
  '[1, 2, 3]',
  '[1.5, 2.5]',
  '["a", "b"]',
  '[{ id: 1 }, { id: 2 }]',
  '[[1, 2], [1.5], ["a"]]',
  '[1, 2.5, NaN]',
  '[NaN]',
  '[{ k0: NaN }]',
  '[0, -0]',
  '[1n, null, undefined, true]',
  '[]',
  '[[], [[]]]',
  '[1, , 3]',
  '["a", , "b"]',
  'Object.freeze([1, 2])',
  'Object.freeze([1.5, 2.5])',
  'Object.freeze(["a", {}])',
  'Object.seal([1, 2])',
  'new Array(3).fill(0)',
  'new Array(5)',
  '[3, 1, 2].sort()',
  '[1, 2, 3].slice(1)',
  '[1, 2, 3].map((x) => x)',
  '[1, 2, 3].filter(() => true)',
  '[1, 2, 3].flatMap((x) => [x])',
  'Array.from([1, 2, 3], (x) => x)',
  'Array.from({ length: 200 }, (_, i) => i)',
  'Object.values({ a: 1, b: 2 })',
  'Object.entries({ a: 1 })',
  '"a,b,c".split(",")',
  '(() => { const a = []; for (let i = 0; i < 200; i++) a.push(i); return a; })()',
  '(() => { const a = []; for (let i = 0; i < 200; i++) a.push(i + 0.5); return a; })()',
  '(() => { const a = []; for (let i = 0; i < 200; i++) a.push({ i }); return a; })()',
  '(() => { const a = [1, 2, 3]; a.shift(); return a; })()',
  '(() => { const a = [1, 2]; a.name = 1; return a; })()',
  '(() => { const a = [1, 2]; Object.defineProperty(a, 0, { get: () => 1 }); return a; })()',
  '(() => { const o = { a: 1, b: [1], c: 2 }; delete o.a; return o; })()',
  'new (class extends Array {})(3)',
  'new Map([[1, [1, 2]], ["b", [1.5]]])',
  'new Set([[1.5], [1]])',
  '{ ints: [1, 2], doubles: [1.5], texts: ["x"], 0: [1] }',
  'JSON.parse("[1, 2, 3]")',
  'JSON.parse("[1.5, 2.5]")',
  'JSON.parse(\'{ "a": [1, 2], "b": [1.5], "c": ["x", [{}]], "0": [1] }\')',
] as const;

let compiled = 0;
/** A new function: its allocation sites have not learned anything. */
export const factoryOf = (source: string): (() => unknown) =>
  new Function(`return () => (${source}) // ${compiled++}`)() as () => unknown;

/** V8 stores the first two arrays of a factory otherwise than later ones. */
export function laterValue(source: string): unknown {
  const factory = factoryOf(source);
  factory();
  factory();
  return factory();
}

export const FIRST_VALUES: readonly unknown[] = allLaterValues();

/** A loop: `map` would learn. */
function allLaterValues(): unknown[] {
  const values: unknown[] = [];
  for (const source of SOURCES) values.push(laterValue(source));
  return values;
}
