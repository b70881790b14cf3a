/** The text of a module in the making: functions, classes, values that hold no others, and what differs from the original. */
import type {
  ArrayNode,
  BufferNode,
  ErrorNode,
  TreeNode,
  ViewNode,
} from '../../model/documents/recorded/value-tree.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import { map } from '../../value/read/lists.ts';
import { bigintIn } from '../values/tree-children.ts';

const HELPERS = {
  text: `/** A text with this number of units, some of them beyond ASCII, halves of pairs, or escaped in JSON. */
let made = 0;
const text = (units, latin = 0, two = 0, three = 0, halves = 0, escaped = 0, controls = 0) => {
  const plain = Math.max(0, units - latin - two - three - halves - escaped - controls);
  const mark = (made++ + SEED).toString(36).slice(-plain || units);
  const words = "the quick brown fox jumps over the lazy dog, ";
  const start = made % words.length;
  const long = words.repeat(Math.ceil(plain / words.length) + 1).slice(start, start + Math.max(0, plain - mark.length));
  const beyond = ["\\u00e9".repeat(latin), "\\u0416".repeat(two), "\\u4e2d".repeat(three)];
  const pairs = "\\ud83d\\ude00".repeat(halves >> 1) + "\\ud800".repeat(halves % 2);
  return [plain > 0 ? mark : "", long, ...beyond, pairs, '"'.repeat(escaped), "\\u0001".repeat(controls)].join("");
};`,
  rope: `/** A text that the engine has not joined yet. */
const rope = (text) => text.slice(0, text.length >> 1) + text.slice(text.length >> 1);`,
  cut: `/** A text that is a part of a longer text in memory. */
const cut = (text) => [text, "."].join("").slice(0, -1);`,
  loose: `/** Stored as two bytes a unit, though one would do. */
const loose = (text) => {
  const long = ["\\u4e00", text].join("");
  return [long.slice(1, -1), long.slice(-1)].join("");
};`,
  named: `/** A different key with about this number of units. */
const named = (i, units) => \`k\${i.toString(36)}\`.padEnd(units, "_");`,
  other: `/** A key or member that is like another, and differs from it. */
const other = (like, i) => {
  if (typeof like === "string") return named(i, like.length);
  return typeof like === "number" ? like + i : like;
};`,
  list: `/** Items: these in turn, or values that these functions make. */
const list = (length, items, into = []) => {
  for (let i = 0; i < length; i++) {
    const item = items[i % items.length];
    into.push(typeof item === "function" ? item() : item);
  }
  return into;
};`,
  placed: `/** An array with holes: these items at these indices. */
const placed = (length, items, at) => {
  const all = new Array(length);
  for (let i = 0; i < items.length; i++) all[at[i]] = items[i];
  return all;
};`,
  holey: `/** An empty array that may have holes. */
const holey = () => {
  const array = new Array(1);
  array.pop();
  return array;
};`,
  stored: `/** Numbers in an array that was made for others. */
const stored = (array, other) => {
  array.push(other);
  array.pop();
  return array;
};`,
  sparse: `/** Elements in a hash table. */
const sparse = (array) => {
  const { length } = array;
  array[length + 100000] = 0;
  array.length = length;
  return array;
};`,
  fill: `/** Adds properties, with values like these. */
const fill = (o, count, makers, key) => {
  for (let i = 0, left = count; left > 0; i++) {
    if (Object.hasOwn(o, key(i))) continue;
    o[key(i)] = makers[i % makers.length]();
    left--;
  }
};`,
  keyed: `/** Entries or members of a Map or Set; these are the first. */
const keyed = (size, makers, into) => {
  for (let i = 0; i < size; i++) {
    const [first, value] = makers[i % makers.length]();
    const key = i < makers.length ? first : other(first, i);
    into instanceof Map ? into.set(key, value) : into.add(key);
  }
  return into;
};`,
  also: `const also = (o, change) => {
  change(o);
  return o;
};`,
  slow: `/** An object whose keys are looked up: properties were deleted from it. */
const slow = (o) => {
  o.gone = 0;
  o.last = 0;
  delete o.gone;
  delete o.last;
  return o;
};`,
  failed: `/** The stack is the same everywhere. */
const failed = (error, units) => {
  error.stack = "at work (app.js:1:1) ".repeat(Math.ceil(units / 21) + 1).slice(0, units);
  return error;
};`,
  shown: `/** A view with this content in what it shows. */
const shown = (view, base64) => {
  const content = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(content.subarray(0, view.byteLength));
  return view;
};`,
  digits: `/** Elements with this mean number of digits. */
const digits = (view, mean) => {
  let written = 0;
  for (let i = 0; i < view.length; i++) {
    const count = Math.max(1, Math.round((i + 1) * mean - written));
    written += count;
    view[i] = count < 4 ? 10 ** (count - 1) : Number((4 / 3).toPrecision(Math.min(17, count - 1)));
  }
  return view;
};`,
} as const;

type HelperName = keyof typeof HELPERS;
const HELPER_NAMES = Object.keys(HELPERS) as HelperName[];

const CALLS: Partial<Record<HelperName, HelperName>> = { keyed: 'other', other: 'named' };

const WIDTH = 100;

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** On one line if it fits, else several items a line. `open` and `close` include the spaces inside: "{ ", " }". */
export function bracketed(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const rows: string[] = [];
  for (const item of items) {
    const joined = `${rows.at(-1)} ${item},`;
    if (rows.length > 0 && joined.length <= WIDTH - 2 && !joined.includes('\n'))
      rows[rows.length - 1] = joined;
    else rows.push(`${item},`);
  }
  return `${open.trimEnd()}${rows.map((row) => `\n  ${indented(row)}`).join('')}\n${close.trimStart()}`;
}

export const listText = (items: readonly string[]): string => bracketed('[', items, ']');

const NAME = /^[A-Za-z_$][\w$]*$/;

/** A list, because the engine tells them only by compiling the name of a stranger. */
const RESERVED: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected
  public return static super switch this throw true try typeof var void while with yield`.split(/\s+/),
);

const isVariable = (name: string): boolean => NAME.test(name) && !RESERVED.has(name);

export function literalKey(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return NAME.test(key) ? key : JSON.stringify(key);
}

/** To a property of `o`. */
export function assignment(key: string, value: string): string {
  if (key === '__proto__')
    return `Object.defineProperty(o, "__proto__", { value: ${value}, writable: true, enumerable: true, configurable: true });`;
  return NAME.test(key) ? `o.${key} = ${value};` : `o[${JSON.stringify(key)}] = ${value};`;
}

export function functionOf(parameters: string, statements: readonly string[], value?: string): string {
  if (statements.length === 0 && value !== undefined)
    return `(${parameters}) => ${value.startsWith('{') ? `(${value})` : value}`;
  const all = value === undefined ? statements : [...statements, `return ${value};`];
  return `(${parameters}) => {${all.map((line) => `\n  ${indented(line)}`).join('')}\n}`;
}

const flagsOf = (tree: TreeNode): readonly Flag[] => ('flags' in tree ? (tree.flags ?? []) : []);
export const has = (tree: TreeNode, ...wanted: Flag[]): boolean =>
  flagsOf(tree).some((flag) => wanted.includes(flag));

const NUMBERS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity', '-0']);

/** Values that cannot be kept, and that a constructor makes without data. */
const BARE = [
  ...['Intl.Collator', 'Intl.DateTimeFormat', 'Intl.NumberFormat'],
  ...['Response', 'Headers', 'AbortController', 'Blob', 'ReadableStream'],
];
const LEFT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(BARE.map((name) => [name, `new ${name}()`])),
  ...{ function: '() => {}', symbol: 'Symbol()', Symbol: 'Object(Symbol())', proxy: 'new Proxy({}, {})' },
  ...{ promise: 'Promise.resolve()', weakmap: 'new WeakMap()', weakset: 'new WeakSet()' },
  ...{ weakref: 'new WeakRef({})', generator: '(function* () {})()', iterator: 'new Map().entries()' },
  FinalizationRegistry: 'new FinalizationRegistry(() => {})',
  ...{ Request: 'new Request("https://example.com")', URL: 'new URL("https://example.com")' },
  ...{ File: 'new File(["file"], "file")', MessagePort: 'new MessageChannel().port1' },
};

const ELEMENT_BYTES: Readonly<Record<string, number>> = {
  ...{ Int8Array: 1, Uint8Array: 1, Uint8ClampedArray: 1, DataView: 1, Buffer: 1 },
  ...{ Int16Array: 2, Uint16Array: 2, Float16Array: 2 },
  ...{ Int32Array: 4, Uint32Array: 4, Float32Array: 4 },
  ...{ Float64Array: 8, BigInt64Array: 8, BigUint64Array: 8 },
};

/** Their own properties are not in the tree. */
const WITHOUT_PROPERTIES: ReadonlySet<string> = new Set(['map', 'set', 'boxed', 'date', 'regexp']);

const LOCKS = { frozen: 'freeze', sealed: 'seal', 'non-extensible': 'preventExtensions' } as const;
const LOCKED = Object.keys(LOCKS) as (keyof typeof LOCKS)[];

const ATTRIBUTES: readonly Flag[] = ['accessor', 'non-enumerable', 'non-configurable', 'read-only'];

const MAX_DIFFERENCES = 40;
const MAX_NAME_LENGTH = 30;

export class ModuleText {
  readonly #used = new Set<HelperName>();
  readonly #names = new Set<string>(['o', 'made', 'part', 'parts', 'Object', 'Array', ...HELPER_NAMES]);
  readonly #classes = new Map<string, { name: string; text: string }>();
  readonly #differences = new Set<string>();

  call(helper: HelperName, ...parts: (string | number)[]): string {
    this.#used.add(helper);
    return bracketed(`${helper}(`, map(parts, String), ')');
  }

  className(wanted: string, above: string | null, body = ''): string {
    const key = JSON.stringify([wanted, above, body]);
    const known = this.#classes.get(key);
    if (known !== undefined) return known.name;
    const name = this.nameFor(isVariable(wanted) && wanted.length <= MAX_NAME_LENGTH ? wanted : 'Unnamed');
    if (name !== wanted) this.differs(`class ${JSON.stringify(wanted)} has another name here`);
    const text = `class ${name}${above === null ? '' : ` extends ${above}`} {${body}}`;
    this.#classes.set(key, { name, text });
    return name;
  }

  differs(sentence: string): void {
    if (this.#differences.size < MAX_DIFFERENCES) this.#differences.add(sentence);
  }

  get differences(): string[] {
    return [...this.#differences];
  }

  nameFor(wanted: string): string {
    let name = wanted;
    // biome-ignore lint/style/noRestrictedGlobals: names that a module cannot give its own.
    for (let i = 2; this.#names.has(name) || !isVariable(name) || name in globalThis; i++)
      name = `${wanted}${i}`;
    this.#names.add(name);
    return name;
  }

  /** Functions and classes that the text uses. @param seed a different seed gives texts that begin with other signs */
  declarations(seed: number): string[] {
    // An element that is added during the iteration is met too.
    for (const name of this.#used) if (CALLS[name] !== undefined) this.#used.add(CALLS[name]);
    const helpers = HELPER_NAMES.filter((name) => this.#used.has(name)).map((name) =>
      HELPERS[name].replace('SEED', String(seed % 97)),
    );
    return [...helpers, ...map([...this.#classes.values()], ({ text }) => text)];
  }

  /** Statements that run before each value is made, so that all are the same. */
  get start(): string[] {
    return this.#used.has('text') ? ['made = 0;'] : [];
  }

  leafText(tree: TreeNode): string {
    if (tree.is === 'undefined') return 'undefined';
    if (tree.is === 'number') return NUMBERS.has(tree.number) ? tree.number : 'NaN';
    if (tree.is === 'bigint') return `${bigintIn(tree.bigint)}n`;
    if (tree.is === 'date') return `new Date(${typeof tree.date === 'number' ? tree.date : 'NaN'})`;
    if (tree.is === 'regexp') return this.#regexpText(tree);
    return tree.is === 'left' ? this.#leftText(tree.left) : 'null';
  }

  #regexpText({ source, letters }: { source: string; letters: string }): string {
    try {
      // Compiled only to see if it is valid.
      new RegExp(source, letters);
      return `new RegExp(${JSON.stringify(source)}, ${JSON.stringify(letters)})`;
    } catch {
      this.differs('a regular expression that cannot be compiled here is /item/');
      return '/item/';
    }
  }

  #leftText(reason: string): string {
    const made = Object.hasOwn(LEFT, reason) ? LEFT[reason] : undefined;
    const instead = made === undefined ? 'an empty object' : 'another one';
    this.differs(`a value that cannot be kept (${JSON.stringify(reason.slice(0, 60))}) is ${instead} here`);
    return made ?? '{}';
  }

  #shownText(view: string, base64: string): string {
    const isValid = /^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0;
    if (!isValid) this.differs('bytes that cannot be read are left out');
    return this.call('shown', view, JSON.stringify(isValid ? base64 : ''));
  }

  bufferText(node: BufferNode): string {
    const { bytes, content } = node;
    const type = node.shared === true ? 'SharedArrayBuffer' : 'ArrayBuffer';
    if (has(node, 'untransferable')) this.differs('a buffer is not marked as untransferable here');
    if (has(node, 'detached')) this.differs('a detached buffer is an empty one here');
    const options = has(node, 'resizable') ? `, { maxByteLength: ${bytes + 64} }` : '';
    const made = `new ${type}(${bytes}${options})`;
    return content === undefined ? made : `${this.#shownText(`new Uint8Array(${made})`, content)}.buffer`;
  }

  viewText(node: ViewNode, on: string, size: number): string {
    const { offset, bytes, content, digits } = node;
    const isKnown = Object.hasOwn(ELEMENT_BYTES, node.type);
    const type = isKnown ? node.type : 'Uint8Array';
    const unit = ELEMENT_BYTES[type]!;
    if (!isKnown) this.differs(`a view of type ${JSON.stringify(node.type)} is a Uint8Array here`);
    if (has(node, 'out-of-bounds')) {
      const view = `new ${type}(new ArrayBuffer(16, { maxByteLength: 32 }), 8, ${8 / unit})`;
      return this.call('also', view, '(o) => o.buffer.resize(4)');
    }
    const make = type === 'Buffer' ? 'Buffer.from' : `new ${type}`;
    if (offset % unit !== 0 || bytes % unit !== 0 || offset + bytes > size) {
      this.differs('a view does not fit its buffer, and shows all of it here');
      return `${make}(${on})`;
    }
    const range = has(node, 'length-tracking') && offset === 0 ? '' : `, ${offset}, ${bytes / unit}`;
    const made = `${make}(${on}${range})`;
    if (content !== undefined) return this.#shownText(made, content);
    return digits !== undefined && digits > 1 && type !== 'DataView' && !type.startsWith('Big')
      ? this.call('digits', made, Math.round(digits * 100) / 100)
      : made;
  }

  /** Once the properties of the value are there. @param sent text of a key that is sent */
  flagStatements(tree: TreeNode, sent?: string): string[] {
    if (tree.is === 'object') return this.#attributeStatements(tree, sent);
    if (tree.is === 'array') return this.#arrayStatements(tree);
    if (tree.is === 'error') return this.#errorStatements(tree);
    const label = has(tree, 'extra-props') ? ['o.label = 0;'] : [];
    if (!WITHOUT_PROPERTIES.has(tree.is)) return tree.is === 'view' ? label : [];
    const slot = has(tree, 'altered-slot') ? ['o.lastIndex = 1;'] : [];
    return [...slot, ...label, ...this.#attributeStatements(tree)];
  }

  #attributeStatements(tree: TreeNode, sent?: string): string[] {
    const lines: string[] = [];
    const define = (key: string, what: string) =>
      lines.push(`Object.defineProperty(o, ${key}, { ${what} });`);
    if (has(tree, 'prototype-indexed')) this.differs('a prototype with indices has none here');
    if (has(tree, 'other-realm')) this.differs('a prototype of another realm is of this one here');
    if (has(tree, 'enumerable-accessor')) this.differs('an accessor has a name and value of ours');
    if (has(tree, 'symbol-key')) lines.push('o[Symbol("key")] = 0;');
    const isHidden = !has(tree, 'enumerable-accessor');
    if (has(tree, 'accessor'))
      define('"computed"', `get: () => 0, enumerable: ${!isHidden}, configurable: true`);
    if (has(tree, 'non-enumerable') && !(has(tree, 'accessor') && isHidden))
      define('"hidden"', 'value: 0, enumerable: false, writable: true, configurable: true');
    if (has(tree, 'indexed-storage')) lines.push('o[0] = 0;', 'delete o[0];');
    if (has(tree, 'dictionary', 'hidden-state', 'uncacheable-dictionary'))
      lines.push(`${this.call('slow', 'o')};`);
    // An object without properties is all three at once.
    const isVacuous = has(tree, 'vacuously-frozen');
    const locked = isVacuous ? 'non-extensible' : LOCKED.find((flag) => has(tree, flag));
    const fixed = [
      ...(has(tree, 'read-only') ? ['writable: false'] : []),
      ...(has(tree, 'non-configurable') ? ['configurable: false'] : []),
    ];
    const isSent = has(tree, 'sent-fixed') && sent !== undefined;
    const key = !isSent && has(tree, 'non-enumerable') ? '"hidden"' : sent;
    const mayBeFixed = locked === undefined || locked === 'non-extensible';
    if (mayBeFixed && fixed.length > 0 && key !== undefined) define(key, fixed.join(', '));
    if (locked !== undefined) lines.push(`Object.${LOCKS[locked]}(o);`);
    return lines;
  }

  /** Attributes of an array without names apply to its elements, or to `length`. */
  #arrayStatements(tree: ArrayNode): string[] {
    if (has(tree, 'array-storage', 'slow-put')) this.differs('an array is stored as a usual one here');
    const found = flagsOf(tree).filter((flag) => ATTRIBUTES.includes(flag));
    if (has(tree, 'frozen', 'sealed') || tree.named !== undefined || found.length === 0)
      return this.#attributeStatements(tree);
    const isOther = (flag: Flag) => !ATTRIBUTES.includes(flag) && flag !== 'enumerable-accessor';
    const statements = this.#attributeStatements({ ...tree, flags: flagsOf(tree).filter(isOther) });
    if (found.length === 1 && found[0] === 'read-only' && !has(tree, 'dictionary-elements'))
      return [...statements, `Object.defineProperty(o, "length", { writable: false });`];
    this.differs('elements with attributes are ordinary ones here');
    return statements;
  }

  #errorStatements(tree: ErrorNode): string[] {
    this.differs('the stack of an error is a text of ours');
    if (has(tree, 'altered-slot')) this.differs('a message that is not a text is one here');
    return [
      ...(has(tree, 'extra-props') ? ['o.code = 0;'] : []),
      ...(has(tree, 'aggregate') && tree.tag !== 'AggregateError' ? ['o.errors = [];'] : []),
      ...this.#attributeStatements(tree),
    ];
  }
}
