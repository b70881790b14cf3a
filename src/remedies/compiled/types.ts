import type { PayloadSchema, RecordType } from '../../model/documents/payload-schema.ts';
import { LINE_WIDTH, propertyName } from '../code/javascript.ts';
import type { SchemaNames } from './naming.ts';

/** TypeScript of a schema: an interface for each record, a name for what holds itself. */
export class SchemaTypes {
  readonly #schema: PayloadSchema;
  readonly #names: SchemaNames;
  /** Types that hold themselves without a record between. */
  readonly #recursive = new Set<number>();

  constructor(schema: PayloadSchema, names: SchemaNames) {
    this.#schema = schema;
    this.#names = names;
    for (const at of schema.types.keys()) if (this.#holds(at, at, new Set())) this.#recursive.add(at);
  }

  /** `Order[]`, `string | null`. */
  text(at: number): string {
    return this.#recursive.has(at) ? this.#names.type(at).name : this.#whole(at);
  }

  /** Whether values of this type hold others of it, without a record between. */
  isRecursive(at: number): boolean {
    return this.#recursive.has(at);
  }

  /** Declarations of all names. */
  declarations(): string[] {
    const aliases = [...this.#recursive].map(
      (at) => `export type ${this.#names.type(at).name} = ${this.#whole(at)};`,
    );
    return [...this.#schema.records.map((record, at) => this.#interface(record, at)), ...aliases];
  }

  #holds(at: number, wanted: number, seen: Set<number>): boolean {
    return this.#children(at).some((child) => {
      if (child === wanted) return true;
      if (seen.has(child)) return false;
      return this.#holds(child, wanted, seen.add(child));
    });
  }

  #children(at: number): number[] {
    const { list, dictionary, map = [], set } = this.#schema.types[at]!;
    return [list, dictionary, ...map, set].filter((one) => one !== undefined);
  }

  #whole(at: number): string {
    const type = this.#schema.types[at]!;
    const inside = (one: number) => this.text(one);
    const all = [
      type.record !== undefined && this.#names.record(type.record).name,
      type.number && 'number',
      type.text && 'string',
      type.boolean && 'boolean',
      type.bigint && 'bigint',
      type.date && 'Date',
      type.numbers && 'number[]',
      type.list !== undefined && listType(inside(type.list)),
      type.dictionary !== undefined && dictionaryType(inside(type.dictionary), this.#recursive.has(at)),
      type.map && `Map<${inside(type.map[0])}, ${inside(type.map[1])}>`,
      type.set !== undefined && `Set<${inside(type.set)}>`,
      ...(type.bytes ?? []),
      type.null && 'null',
      type.undefined && 'undefined',
    ].filter((one) => typeof one === 'string');
    return all.length === 0 || type.rest ? 'unknown' : [...new Set(all)].join(' | ');
  }

  #interface({ fields, loose }: RecordType, at: number): string {
    const members = fields.map(
      ({ key, type, optional }) => `${propertyName(key)}${optional ? '?' : ''}: ${this.text(type)};`,
    );
    if (loose !== undefined) {
      const all = [loose, ...fields.map(({ type }) => type)].flatMap((type) => this.text(type).split(' | '));
      members.push(`[key: string]: ${[...new Set([...all, 'undefined'])].join(' | ')};`);
    }
    const head = `export interface ${this.#names.record(at).name} {`;
    const inline = `${head} ${members.join(' ').replace(/;$/, '')} }`;
    return inline.length <= LINE_WIDTH
      ? inline
      : [head, ...members.map((member) => `  ${member}`), '}'].join('\n');
  }
}

export const listType = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`);

const dictionaryType = (value: string, isRecursive: boolean): string =>
  isRecursive ? `{ [key: string]: ${value} }` : `Record<string, ${value}>`;
