import type { PayloadSchema, RecordType } from '../../model/documents/payload-schema.ts';
import { keyText } from '../../value/read/paths.ts';
import { LINE_WIDTH, propertyName, toIdentifier, toSingular } from '../code/javascript.ts';
import { insideOf } from '../schema/places.ts';
import { WAYS } from './ways/index.ts';

const TAKEN = new Set(
  `Array ArrayBuffer BigInt Boolean Data Date Error Map Message Number Object Omit Partial Payload Pick Promise RangeError Readonly
  Record RegExp Required Set String Symbol TypeError Bigint Dictionary Double Int Key Keys List Other Rest Table Text Word Words
  Write Column Columns Fixed EncodedBytes NodeBuffers
  Texts Streams`.split(/\s+/),
);
/** Names of typed arrays, lists of scalars, and tuples of numbers. */
const TAKEN_FORMS = /^((Big)?(Int|Uint|Float)\d+(Clamped)?Array|\w+(List|View)|(Ints|Doubles)\d+)$/;

/** `spec_url` -> `SpecUrl` */
const upper = (name: string): string =>
  name.replace(/(?:^|[_$]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase()) || 'Value';

/** Name of a constant: `OrderItem` -> `ORDER_ITEM` */
export const upperCase = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();

interface Naming {
  /** Name in functions and interfaces of a type: `Orders`. */
  name: string;
  /** `$.orders[*]`, or `Order.items` below a record that occurs at several places. */
  path: string;
}

/**
 * TypeScript of a schema: an interface for each record, and an alias for each type that contains itself. Types and records
 * are named breadth first, by the first place of the type.
 */
export class SchemaTypes {
  readonly #schema: PayloadSchema;
  readonly #types: Naming[] = [];
  readonly #records: Naming[] = [];
  readonly #taken = new Set(TAKEN);
  readonly #derived = new Map<number, string>();
  /** Types that contain themselves without a record between. */
  readonly #recursive = new Set<number>();

  constructor(schema: PayloadSchema, root: string) {
    this.#schema = schema;
    const name = upper(toIdentifier([root], 'sample'));
    this.#types[0] = { name: this.#fresh(TAKEN.has(name) ? 'Sample' : name), path: '$' };
    // Types are numbered breadth first, so each type has a name before the types below it.
    for (const [at, type] of schema.types.entries()) {
      const own = this.type(at);
      if (type.record !== undefined) this.#nameRecord(type.record, own);
      for (const { type: inner, step } of insideOf(type))
        this.#nameType(inner, step === '{key}' ? `${own.name}Key` : singular(own.name), own.path + step);
      if (this.#holds(at, at, new Set())) this.#recursive.add(at);
    }
  }

  type(at: number): Naming {
    return this.#types[at]!;
  }

  record(at: number): Naming {
    return this.#records[at]!;
  }

  /** A further name for a type, such as `OrdersValue`. It is made only once. */
  derived(at: number, name: string): string {
    const found = this.#derived.get(at) ?? this.#fresh(name);
    this.#derived.set(at, found);
    return found;
  }

  #nameRecord(record: number, { name, path }: Naming): void {
    if (this.#records[record] !== undefined) return;
    const uses = this.#schema.types.filter((one) => one.record === record).length;
    const own = { name, path: uses === 1 ? path : name };
    this.#records[record] = own;
    const { fields, loose } = this.#schema.records[record]!;
    if (loose !== undefined) this.#nameType(loose, singular(name), `${own.path}.*`);
    for (const field of fields)
      this.#nameType(
        field.type,
        upper(toIdentifier([field.key], 'value')),
        own.path + keyText(field.key),
        name,
      );
  }

  #nameType(at: number, name: string, path: string, owner = ''): void {
    this.#types[at] ??= { name: this.#fresh(name, owner), path };
  }

  #fresh(wanted: string, owner = ''): string {
    const start = /^[A-Z]/.test(wanted) ? wanted : `Value${wanted}`;
    const own = (one: string) => (TAKEN_FORMS.test(one) ? `${one}Value` : one);
    const [name, owned] = [own(start), own(owner + start)];
    const isFree = (one: string) => !this.#taken.has(one) && !this.#taken.has(upperCase(one));
    const numbered = (n: number): string => (isFree(name + n) ? name + n : numbered(n + 1));
    const found = isFree(name) ? name : owner !== '' && isFree(owned) ? owned : numbered(2);
    this.#taken.add(found).add(upperCase(found));
    return found;
  }

  /** `Order[]`, `string | null`. */
  text(at: number): string {
    return this.#recursive.has(at) ? this.type(at).name : this.#whole(at);
  }

  isRecursive(at: number): boolean {
    return this.#recursive.has(at);
  }

  declarations(further: readonly string[] = []): string[] {
    const aliases = [...this.#recursive].map(
      (at) => `export type ${this.type(at).name} = ${this.#whole(at)};`,
    );
    const interfaces = this.#schema.records.map((record, at) => this.#interface(record, at));
    return [...interfaces, ...aliases, ...further, `export type Payload = ${this.text(0)};`];
  }

  #holds(at: number, wanted: number, seen: Set<number>): boolean {
    return insideOf(this.#schema.types[at]!).some(({ type: child }) => {
      if (child === wanted) return true;
      if (seen.has(child)) return false;
      return this.#holds(child, wanted, seen.add(child));
    });
  }

  #whole(at: number): string {
    const type = this.#schema.types[at]!;
    const ways = WAYS.filter((way) => way.fits(type, 'joined')).map((way) => {
      const inside = way.inside?.(type) ?? [];
      const texts =
        way.name === 'record' ? [this.record(type.record!).name] : inside.map((one) => this.text(one));
      return way.tsType(
        type,
        texts,
        inside.some((one) => this.isRecursive(one)),
      );
    });
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
    const { name } = this.record(at);
    if (members.length === 0) return `export type ${name} = Record<string, never>;`;
    const head = `export interface ${name} {`;
    const inline = `${head} ${members.join(' ').replace(/;$/, '')} }`;
    return inline.length <= LINE_WIDTH
      ? inline
      : [head, ...members.map((member) => `  ${member}`), '}'].join('\n');
  }
}

/** Name of an item: `Orders` -> `Order`, `News` -> `NewsItem` -> `NewsItem2`. */
const singular = (name: string): string => toSingular(name) ?? `${name.replace(/Item\d*$/, '')}Item`;
