/** The text of a module in the making: its functions, classes and variables, and what differs from the original. */
import { map } from '../../value/lists.ts';
import { CALLED, HELPER_NAMES, HELPERS, type HelperName } from './helper-functions.ts';

const WIDTH = 100;

export const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** On one line if it fits, else an item a line. `open` and `close` include the spaces inside: "{ ", " }". */
export function bracketed(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const lines = items.map((item) => `\n  ${indented(item)},`).join('');
  return `${open.trimEnd()}${lines}\n${close.trimStart()}`;
}

/** An array literal, with several items in a line up to the width. */
export function lines(items: readonly string[]): string {
  const whole = `[${items.join(', ')}]`;
  if (whole.length <= WIDTH && !whole.includes('\n')) return whole;
  const rows: string[] = [];
  for (const item of items) {
    const row = rows.at(-1);
    const joined = `${row} ${item},`;
    if (row !== undefined && joined.length <= WIDTH - 2 && !joined.includes('\n'))
      rows[rows.length - 1] = joined;
    else rows.push(`${item},`);
  }
  return `[${rows.map((row) => `\n  ${indented(row)}`).join('')}\n]`;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** Words that cannot name a variable in a module. */
const RESERVED: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected
  public return static super switch this throw true try typeof undefined var void while with yield NaN Infinity
  globalThis async of get set`.split(/\s+/),
);

const isVariable = (name: string): boolean => NAME.test(name) && !RESERVED.has(name);

/** Key of a literal. `__proto__` is an ordinary property if its key is computed. */
export function literalKey(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return NAME.test(key) ? key : JSON.stringify(key);
}

/** The statement that adds a property to a variable. */
export function assignment(owner: string, key: string, value: string): string {
  if (key === '__proto__')
    return `Object.defineProperty(${owner}, "__proto__", { value: ${value}, writable: true, enumerable: true, configurable: true });`;
  return NAME.test(key) ? `${owner}.${key} = ${value};` : `${owner}[${JSON.stringify(key)}] = ${value};`;
}

/** A function that runs these statements, or gives a value after them. */
export function functionOf(parameters: string, statements: readonly string[], value?: string): string {
  if (statements.length === 0 && value !== undefined)
    return `(${parameters}) => ${value.startsWith('{') ? `(${value})` : value}`;
  const all = value === undefined ? statements : [...statements, `return ${value};`];
  return `(${parameters}) => {${all.map((line) => `\n  ${indented(line)}`).join('')}\n}`;
}

const MAX_DIFFERENCES = 40;
/** Longer names of classes are cut. */
const MAX_NAME_LENGTH = 30;

export interface FixtureModule {
  /** An ES module: its default export makes a new value at each call, the same one each time. It imports nothing. */
  text: string;
  /** Values that differ from the original: a sentence each. */
  differences: string[];
}

export class ModuleText {
  readonly #used = new Set<HelperName>();
  readonly #names = new Set<string>(['o', 'made', 'Object', 'Array', ...HELPER_NAMES]);
  readonly #classes = new Map<string, { name: string; text: string }>();
  readonly #differences = new Set<string>();

  /** A call of a function that the module brings along. */
  call(helper: HelperName, ...parts: (string | number)[]): string {
    this.#used.add(helper);
    return bracketed(`${helper}(`, map(parts, String), ')');
  }

  /** Name of a class; the same for the same arguments. */
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

  /** Name of a variable or class that is still unused. */
  nameFor(wanted: string): string {
    let name = wanted;
    // biome-ignore lint/style/noRestrictedGlobals: names that a module cannot give its own.
    for (let i = 2; this.#names.has(name) || !isVariable(name) || name in globalThis; i++)
      name = `${wanted}${i}`;
    this.#names.add(name);
    return name;
  }

  /** Functions and classes that the text uses. */
  declarations(seed: number): string[] {
    for (const [name, called] of CALLED) if (this.#used.has(name)) this.#used.add(called);
    const helpers = HELPER_NAMES.filter((name) => this.#used.has(name)).map((name) => HELPERS[name](seed));
    return [...helpers, ...map([...this.#classes.values()], ({ text }) => text)];
  }

  /** Statements that run before each value is made, so that all are the same. */
  get start(): string[] {
    return this.#used.has('text') ? ['made = 0;'] : [];
  }
}
