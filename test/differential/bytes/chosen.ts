/** 200 chosen values: 40 kinds of what programs post, in five sizes, as the source of one module for every runtime. */

/** Small enough that the system gives no huge pages, which a message fills in part. */
const SIZES = [200_000, 300_000, 450_000, 700_000, 1_000_000];

const list = (length: string, item: string) => `Array.from({ length: ${length} }, (_, i) => ${item})`;

/** An expression over `n`, about as many bytes as its message has. */
const KINDS: Readonly<Record<string, string>> = {
  asciiText: `'a'.repeat(n)`,
  latinText: `'\\u00e9'.repeat(n)`,
  wideText: `'\\u2603'.repeat(n / 2)`,
  emoji: `'\\u{1f600}'.repeat(n / 4)`,
  wrappedText: `({ task: { text: 'a'.repeat(n) } })`,
  flatText: `({ text: 'a'.repeat(n), id: 1 })`,
  joinedText: `({ text: ${list('n / 20', "'piece of text ' + i")}.join('') })`,
  slicedText: `({ text: 'a'.repeat(n + 100).slice(50, n), twice: ['b'.repeat(n / 2).slice(3)] })`,
  sameText: `(() => { const text = 'same '.repeat(20); return ${list('n / 100', 'text')}; })()`,
  integers: list('n / 4', 'i * 1000'),
  doubles: list('n / 9', 'i + 0.5'),
  mixed: list('n / 10', "[i, 0.5, null, true, 'x' + i][i % 5]"),
  holes: `(() => { const a = ${list('n / 6', 'i')}; delete a[7]; return a; })()`,
  sparse: `(() => { const a = []; a[1e6] = 1; for (let i = 0; i < n / 12; i++) a[i * 5] = 0.5; return a; })()`,
  namedElements: `Object.assign(${list('n / 6', 'i')}, { name: 'list' })`,
  texts: list('n / 18', "'item number ' + i"),
  orders: list('n / 60', "({ id: i, name: 'name ' + i, price: i / 3, isPaid: i % 2 === 0 })"),
  shapes: list('n / 30', "({ ['key' + (i % 50)]: i, text: 'x' + i })"),
  dictionary: `Object.fromEntries(${list('n / 30', "['key number ' + i, i / 7]")})`,
  indexed: `Object.fromEntries(${list('n / 9', '[i * 3, i]')})`,
  tree: `(function node(left) { return left < 40 ? { leaf: left } : { a: node(left / 2), b: [node(left / 2)] }; })(n / 2)`,
  coordinates: list('n / 24', '[i / 7, i / 11]'),
  matrix: list('n / 912', list('100', 'i / 3')),
  map: `new Map(${list('n / 18', "['key ' + i, i]")})`,
  mapOfObjects: `new Map(${list('n / 40', '[i, { id: i, at: [i] }]')})`,
  set: `new Set(${list('n / 14', "'entry ' + i")})`,
  dates: list('n / 10', 'new Date(1e12 + i)'),
  bigints: list('n / 14', '2n ** 60n + BigInt(i)'),
  hugeBigint: `[1n << BigInt(n * 8)]`,
  regexps: list('n / 10', "new RegExp('word' + i, 'g')"),
  boxed: list('n / 10', '[Object(0.5), Object(true), Object(1)][i % 3]'),
  repeated: `(() => { const one = { id: 1, text: 'x' }; return ${list('n / 3', 'one')}; })()`,
  instances: list('n / 24', 'new Point(i)'),
  bytes: `({ bytes: new Uint8Array(n).fill(7) })`,
  numbers: `({ numbers: new Float64Array(n / 8).fill(0.1) })`,
  part: `({ part: new Uint8Array(n).fill(7).subarray(0, 100) })`,
  twoViews: `(() => { const { buffer } = new Uint8Array(n).fill(7); return [new Uint8Array(buffer, 8), new DataView(buffer, 16, 32)]; })()`,
  buffer: `[new Uint8Array(n).fill(7).buffer, 'beside']`,
  shared: `({ shared: new SharedArrayBuffer(n), text: 'beside' })`,
  literals: list('n / 1.3', '[undefined, null, true, false][i % 4]'),
};

/** Name of an export -> its expression. */
export const CHOSEN: ReadonlyMap<string, string> = new Map(
  Object.entries(KINDS).flatMap(([kind, code]) =>
    SIZES.map((n): [string, string] => [`${kind}${n / 1000}k`, `((n) => ${code})(${n})`]),
  ),
);

/** Once: JavaScriptCore stores objects of a class that is defined anew in another way, from its third definition on. */
const CLASS = 'class Point { constructor(i) { this.x = i; this.y = i / 3; } }\n';

export const chosenModule = (names: readonly string[]): string =>
  CLASS + names.map((name) => `export const ${name} = () => ${CHOSEN.get(name)};\n`).join('');
