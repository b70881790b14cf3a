/** The text of a module in the making: its functions, classes and variables, and what differs from the original. */
import { map } from '../../value/read/lists.ts';

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
}
