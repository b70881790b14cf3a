import { type Field, isFieldKey, type Leaf } from '../facts/fields.ts';
import { literal, member, type Names, propertyName } from './javascript.ts';

/** Code that reads and builds records, with literal keys. */

/** Checks that reading may call; only those called are declared. */
const GUARDS = {
  present: `function present(value) {
  if (value === undefined) throw new TypeError('a key of a record is missing');
  return value;
}`,
  number: `function number(value) {
  if (typeof value !== 'number') throw new TypeError('not a number in a column of numbers');
  return value;
}`,
  int32: `function int32(value) {
  if (!Object.is(value | 0, value)) throw new TypeError('not an integer in a column of integers');
  return value;
}`,
  timeOf: `function timeOf(value) {
  if (!(value instanceof Date)) throw new TypeError('not a Date in a column of dates');
  return value.getTime();
}`,
  listOf: `function listOf(value) {
  if (!Array.isArray(value)) throw new TypeError('not an array in a record');
  return value;
}`,
} as const;

type GuardName = keyof typeof GUARDS;

/** Declarations of the guards that a source text calls. */
export function guardsIn(source: string): string {
  const called = (Object.keys(GUARDS) as GuardName[]).filter((name) => source.includes(`${name}(`));
  return called.map((name) => `${GUARDS[name]}\n`).join('');
}

export interface LeafExpression extends Leaf {
  /** Source of its value. */
  source: string;
}

/** Reads one record: `lines` run first, then `leaves` are the expressions of its leaves. */
export class RecordReader {
  readonly lines: string[] = [];
  readonly leaves: LeafExpression[] = [];
  readonly #checks: string[] = [];
  readonly #names: Names;

  constructor(fields: readonly Field[], record: string, names: Names) {
    this.#names = names;
    this.#visit(fields, record, []);
    if (this.leaves.length === 0) throw new TypeError('a record needs a field');
    this.lines.push(`if (${this.#checks.join(' || ')}) throw new TypeError('a record has other keys');`);
  }

  #visit(fields: readonly Field[], record: string, above: string[]): void {
    this.#checks.push(`Object.keys(${record}).length !== ${fields.length}`);
    for (const field of fields) {
      if (!isFieldKey(field.key)) throw new TypeError(`a record cannot have the key ${field.key}`);
      const path = [...above, field.key];
      const source = `${record}${member(field.key)}`;
      if (field.fields === undefined)
        this.leaves.push({ ...field, path, source: this.#value(field, record, source) });
      else this.#nested(field.fields, source, path);
    }
  }

  #nested(fields: readonly Field[], source: string, path: string[]): void {
    const name = this.#names.fresh(path);
    this.lines.push(`const ${name} = ${source};`);
    this.#visit(fields, name, path);
  }

  /** As many keys as fields, and every field present: then there is no other key. */
  #value(field: Field, record: string, source: string): string {
    if (field.date) return `timeOf(${source})`;
    if (field.items !== undefined || field.list) return `listOf(${source})`;
    const isInherited = field.key in Object.prototype;
    if (!field.maybe && !isInherited) return `present(${source})`;
    const isAbsent = `!Object.hasOwn(${record}, ${literal(field.key)})`;
    this.#checks.push(isInherited ? isAbsent : `(${source} === undefined && ${isAbsent})`);
    return source;
  }
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
  if (inline.length <= 90) return inline;
  return `{\n${properties.map((text) => `  ${text.replaceAll('\n', '\n  ')},`).join('\n')}\n}`;
}

const leafValue = ({ date }: Field, source: string): string => (date ? `new Date(${source})` : source);
