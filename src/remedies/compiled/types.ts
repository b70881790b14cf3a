import { insideOf } from '../../core/payload-schema/places.ts';
import type { PayloadSchema, RecordType } from '../../model/documents/payload-schema.ts';
import { LINE_WIDTH, propertyName } from '../code/javascript.ts';
import type { SchemaNames } from './naming.ts';
import type { TypeTexts } from './way.ts';
import { WAYS } from './ways/index.ts';

/** TypeScript of a schema: an interface for each record, and an alias for each type that contains itself. */
export class SchemaTypes implements TypeTexts {
  readonly #schema: PayloadSchema;
  readonly #names: SchemaNames;
  /** Types that contain themselves without a record between. */
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

  /** True if values of this type can contain values of the same type, without a record between. */
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
    return insideOf(this.#schema.types[at]!).some(({ type: child }) => {
      if (child === wanted) return true;
      if (seen.has(child)) return false;
      return this.#holds(child, wanted, seen.add(child));
    });
  }

  record(at: number): string {
    return this.#names.record(at).name;
  }

  #whole(at: number): string {
    const type = this.#schema.types[at]!;
    const ways = WAYS.filter((way) => way.fits(type, 'joined')).map((way) => way.tsType(type, this));
    const all = [...ways, type.null && 'null', type.undefined && 'undefined'];
    const known = all.filter((one) => typeof one === 'string');
    return known.length === 0 || type.rest ? 'unknown' : [...new Set(known)].join(' | ');
  }

  #interface({ fields, loose }: RecordType, at: number): string {
    const members = fields.map(
      ({ key, type, optional }) => `${propertyName(key)}${optional ? '?' : ''}: ${this.text(type)};`,
    );
    if (loose !== undefined) {
      const all = [loose, ...fields.map(({ type }) => type)].flatMap((type) => this.text(type).split(' | '));
      members.push(`[key: string]: ${[...new Set([...all, 'undefined'])].join(' | ')};`);
    }
    const { name } = this.#names.record(at);
    if (members.length === 0) return `export type ${name} = Record<string, never>;`;
    const head = `export interface ${name} {`;
    const inline = `${head} ${members.join(' ').replace(/;$/, '')} }`;
    return inline.length <= LINE_WIDTH
      ? inline
      : [head, ...members.map((member) => `  ${member}`), '}'].join('\n');
  }
}
