/** Pieces of JavaScript text. Keys come from payloads, so each is written by one of these functions. */

/** ASCII only, so that no key can put control or bidirectional characters into code that a user pastes. */
export function literal(value: string | number | boolean): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** `.name` or `["odd key"]`. */
export function member(key: string): string {
  return NAME.test(key) ? `.${key}` : `[${literal(key)}]`;
}

/** Left side of a colon in an object literal; `__proto__` there would set the prototype unless computed. */
export function propertyName(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return NAME.test(key) ? key : literal(key);
}

/** Indents every line that is not empty. */
export function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

/** On one line where it fits, else one item per line. */
export function listed(open: string, items: readonly string[], close: string): string {
  const inline = `${open}${items.join(', ')}${close}`;
  return inline.length <= 90 ? inline : `${open.trimEnd()}\n  ${items.join(',\n  ')},\n${close.trimStart()}`;
}

/** Reserved words, and the names that the generated code itself uses. */
const TAKEN =
  `break case catch class const continue debugger default delete do else enum eval export extends false
finally for function if implements import in instanceof interface let new null package private protected public return
static super switch this throw true try typeof var void while with yield await async of arguments undefined NaN Infinity
Object Array Date TypeError Int32Array Float64Array JSON Map Set rows row cells at i n item pack unpack present number
int32 timeOf listOf payload message value worker toMessage fromMessage transferList globalThis`.split(/\s+/);

/** Variables named after where their values come from: `$.customer.name` -> `customerName`. */
export class Names {
  readonly #taken = new Set(TAKEN);

  fresh(path: readonly string[]): string {
    const words = path.join(' ').match(/[A-Za-z0-9_$]+/g) ?? ['column'];
    const joined = words.map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
    const wanted = /^[A-Za-z]/.test(joined) ? joined.slice(0, 40) : `column${joined.slice(0, 40)}`;
    let name = wanted;
    for (let n = 2; this.#taken.has(name); n++) name = `${wanted}${n}`;
    this.#taken.add(name);
    return name;
  }
}

/** Declares the slot getter that returns the type name of a typed array, `undefined` for a DataView. */
export const TYPE_NAME =
  'const typeName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;';
