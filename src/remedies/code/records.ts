import { type Field, isFieldKey, isList, type Leaf } from '../facts/fields.ts';
import { typed } from './dialect.ts';
import { filled, literal, member, type Names, propertyName, WIDTH } from './javascript.ts';

/** Code that reads and builds records, with literal keys. */

/** Checks that code may call; only those called are declared. Each throws for what the codec cannot restore. */
const GUARDS = {
  /** With as many keys as fields in all, and no field missing, there is no other key. */
  checkKeys: `function checkKeys(keys${typed('number')}, records${typed('object[]')}, ...lists${typed('unknown[]')}) {
  for (const one of records)
    keys -= Object.getPrototypeOf(one) === Object.prototype ? Object.keys(one).length : NaN;
  if (keys !== 0 || !lists.every(Array.isArray)) throw new TypeError('other keys, or no list');
}`,
  present: `function present(value) {
  if (value === undefined) throw new TypeError('a field is missing');
  return value;
}`,
  timeOf: `function timeOf(value)${typed('number')} {
  if (!(value instanceof Date)) throw new TypeError('not a Date');
  return value.getTime();
}`,
  jsonText: `function jsonText(value) {
  if (!isJson(value)) throw new TypeError('JSON text cannot hold all values');
  return JSON.stringify(value);
}`,
  isJson: `/** Whether JSON text restores the value as it is: no undefined, NaN, -0, Date, Map. */
function isJson(value)${typed('boolean')} {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value !== 'object') return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) {
    for (const item of value) if (!isJson(item)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    const kind = Object.prototype.toString.call(value);
    if (kind !== '[object Object]' || 'toJSON' in value) return false;
  }
  for (const key in value) if (!isJson(value[key])) return false;
  return true;
}`,
} as const;

type GuardName = keyof typeof GUARDS;

/** Declarations of the guards that a source text calls, each ending in a line end. */
export function guardsIn(source: string): string {
  const isCalled = (name: GuardName, text: string) => new RegExp(`(?<![.\\w])${name}\\(`).test(text);
  const names = (Object.keys(GUARDS) as GuardName[]).filter((name) => isCalled(name, source));
  const all = Object.keys(GUARDS) as GuardName[];
  const inGuards = names.map((name) => GUARDS[name]).join('\n');
  return all
    .filter((name) => names.includes(name) || isCalled(name, inGuards))
    .map((name) => `${GUARDS[name]}\n`)
    .join('');
}

export interface LeafExpression extends Leaf {
  /** Source of its value. */
  source: string;
}

/**
 * Reads one record: `lines` run first and check its keys, then `leaves` are the expressions of its leaves. A leaf that is
 * undefined is for the caller to refuse, except where `maybe` allows it.
 */
export class RecordReader {
  readonly lines: string[] = [];
  readonly leaves: LeafExpression[] = [];
  readonly #names: Names;
  readonly #records: string[] = [];
  readonly #lists: string[] = [];
  readonly #present: string[] = [];
  #keys = 0;

  constructor(fields: readonly Field[], record: string, names: Names, margin = 0) {
    this.#names = names;
    this.#visit(fields, record, []);
    if (this.leaves.length === 0) throw new TypeError('a record needs a field');
    const args = [String(this.#keys), `[${this.#records.join(', ')}]`, ...this.#lists];
    this.lines.push(...checkLines(args, margin));
    const [first, ...others] = this.#present;
    if (first !== undefined)
      this.lines.push(
        `if (!(${[first, ...others].join(' && ')})) throw new TypeError('a field is missing');`,
      );
  }

  #visit(fields: readonly Field[], record: string, above: readonly string[]): void {
    this.#records.push(record);
    this.#keys += fields.length;
    const inner = fields.filter(isNamed);
    const names = new Map(inner.map(({ key }) => [key, this.#names.fresh([...above, key])]));
    this.lines.push(...destructured(names, record));
    for (const field of fields) {
      if (!isFieldKey(field.key)) throw new TypeError(`a record cannot have the key ${field.key}`);
      const path = [...above, field.key];
      const name = names.get(field.key);
      if (field.fields !== undefined) this.#visit(field.fields, name ?? record + member(field.key), path);
      else this.leaves.push({ ...field, path, source: name ?? this.#leaf(field, record) });
      if (isList(field)) this.#lists.push(name!);
    }
  }

  /** A key of Object.prototype would be read where the record has none. */
  #leaf(field: Field, record: string): string {
    const { key, maybe, date } = field;
    if (maybe || key in Object.prototype) this.#present.push(`Object.hasOwn(${record}, ${literal(key)})`);
    const source = `${record}${member(key)}`;
    return date ? `timeOf(${source})` : source;
  }
}

/** For code that does not look at all values at once. */
export const presentSource = ({ source, maybe, date }: LeafExpression): string =>
  maybe || date ? source : `present(${source})`;

/** Objects that hold values alone are read through the object that holds them, which is a line less. */
const isNamed = ({ fields, ...field }: Field): boolean =>
  isList(field) || (fields?.some((one) => one.fields !== undefined || isList(one)) ?? false);

function checkLines(args: readonly string[], margin: number): string[] {
  const line = `checkKeys(${args.join(', ')});`;
  if (line.length + margin <= WIDTH) return [line];
  return ['checkKeys(', ...args.map((arg) => `  ${arg},`), ');'];
}

/** `const { customer, items } = order;` */
function destructured(names: ReadonlyMap<string, string>, record: string): string[] {
  if (names.size === 0) return [];
  const properties = [...names].map(([key, name]) => (key === name ? name : `${propertyName(key)}: ${name}`));
  return filled('const { ', properties, ` } = ${record};`, 12);
}

/** Source of the object literal of a record; `leaf` gives the source of each leaf in order. */
export function objectLiteral(
  fields: readonly Field[],
  leaf: (field: Leaf) => string,
  above: string[] = [],
): string {
  const properties = fields.map((field) => {
    const path = [...above, field.key];
    const source =
      field.fields === undefined
        ? leafValue(field, leaf({ ...field, path }))
        : objectLiteral(field.fields, leaf, path);
    return `${propertyName(field.key)}: ${source}`;
  });
  const inline = `{ ${properties.join(', ')} }`;
  if (inline.length <= 80 && !inline.includes('\n')) return inline;
  return `{\n${properties.map((text) => `  ${text.replaceAll('\n', '\n  ')},`).join('\n')}\n}`;
}

const leafValue = ({ date }: Field, source: string): string => (date ? `new Date(${source})` : source);
