import { asTypeScript } from './dialect.ts';

/** Pieces of JavaScript text. Keys come from payloads, so each is written by one of these functions. */

/** ASCII only, so that no key can put control or bidirectional characters into code that a user pastes. */
export function literal(value: string | number | boolean): string {
  const text = JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return /^"[^"'\\]*"$/.test(text) ? `'${text.slice(1, -1)}'` : text;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** `.name` or `['odd key']`. */
export function member(key: string): string {
  return NAME.test(key) ? `.${key}` : `[${literal(key)}]`;
}

/** Left side of a colon in an object literal; `__proto__` there would set the prototype unless computed. */
export function propertyName(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return NAME.test(key) ? key : literal(key);
}

/** Indents every line that is not empty. */
export function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

/** Columns of a line, as most formatters have it by now. */
export const WIDTH = 100;

/** On one line where it fits behind `margin` columns, else one item per line. */
export function listed(open: string, items: readonly string[], close: string, margin = 0): string {
  const inline = `${open}${items.join(', ')}${close}`;
  if (inline.length + margin <= WIDTH && !inline.includes('\n')) return inline;
  return `${open.trimEnd()}\n${items.map((item) => `${indent(item)},\n`).join('')}${close.trimStart()}`;
}

/** Calls with as many arguments each as fit on a line. */
export function filled(open: string, items: readonly string[], close: string, margin: number): string[] {
  const lines: string[] = [];
  let args = '';
  for (const item of items) {
    const longer = args === '' ? item : `${args}, ${item}`;
    const fits = args === '' || open.length + longer.length + close.length + margin <= WIDTH;
    if (!fits) lines.push(open + args + close);
    args = fits ? longer : item;
  }
  return args === '' ? lines : [...lines, open + args + close];
}

/** On one line where it fits behind `margin` columns. */
export function throwing(condition: string, message: string, margin: number): string[] {
  const [head, body] = [`if (${condition})`, `throw new TypeError(${literal(message)});`];
  return asTypeScript(`${head} ${body}`).length + margin <= WIDTH ? [`${head} ${body}`] : [head, `  ${body}`];
}

/** Reserved words, and the names that the generated code itself uses. */
const TAKEN =
  `break case catch class const continue debugger default delete do else enum eval export extends false
finally for function if implements import in instanceof interface let new null package private protected public return
static super switch this throw true try typeof var void while with yield await async of arguments undefined NaN Infinity
Object Array Date TypeError Int32Array Float64Array BigInt BigInt64Array JSON Map Set Number left list packed one keys cells numbers integers bigints
optional cell number integer bigint maybe cellAt numberAt integerAt bigintAt maybeAt get at checkKeys present timeOf isJson jsonText pack unpack encode decode payload message
value worker reason onMiss toMessage fromMessage transferList globalThis`.split(/\s+/);

const words = (keys: readonly string[]) => keys.join(' ').match(/[A-Za-z0-9_$]+/g) ?? [];

/** `["unit price"]` -> "unitPrice". */
export function nameOf(keys: readonly string[], otherwise: string): string {
  const [first = otherwise, ...others] = words(keys);
  const joined = first + others.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return (/^[A-Za-z]/.test(joined) ? joined : otherwise + joined).slice(0, 40);
}

/** "orders" -> "order", "categories" -> "category"; null where the word is no plural. */
export function singularOf(name: string): string | null {
  if (/[^aeiou]ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(s|x|z|ch|sh)es$/.test(name)) return name.replace(/es$/, '');
  return /[^s]s$/.test(name) ? name.slice(0, -1) : null;
}

/** Variables named after where their values come from: `$.customer.name` -> `name`, or `customerName` where that is taken. */
export class Names {
  readonly #taken: Set<string>;

  /** @param others names of the code around that cannot be used either */
  constructor(others: readonly string[] = []) {
    this.#taken = new Set([...TAKEN, ...others]);
  }

  fresh(path: readonly string[], otherwise = 'value'): string {
    const names = path.map((_, at) => nameOf(path.slice(path.length - 1 - at), otherwise));
    const longest = names.at(-1) ?? otherwise;
    const numbered = (n: number): string => (this.#taken.has(longest + n) ? numbered(n + 1) : longest + n);
    const name = names.find((one) => !this.#taken.has(one)) ?? numbered(2);
    this.#taken.add(name);
    return name;
  }

  /** Of one item of a list. */
  item(list: readonly string[]): string {
    const last = list.at(-1);
    const one = last === undefined ? null : singularOf(nameOf([last], 'list'));
    return this.fresh([...list.slice(0, -1), one ?? `${last ?? ''} item`]);
  }
}

/** Declares the slot getter that returns the type name of a typed array, `undefined` for a DataView. */
export const TYPE_NAME =
  'const typeName/*: any */ = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get;';
