import { keyText } from '../../core/paths.ts';
import { insideOf } from '../../core/payload-schema/places.ts';
import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import { toIdentifier, toSingular } from '../code/javascript.ts';

/** First place of a type of the schema, and its name in code. */
export interface Naming {
  /** Name in functions and interfaces of a type: `Orders`. */
  name: string;
  /** `$.orders[*]`, or `Order.items` below a record that occurs at several places. */
  path: string;
}

/** Names of types and functions that the code already uses. */
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

/** Names all types and records, breadth first; the name comes from the first place of the type. */
export class SchemaNames {
  readonly #schema: PayloadSchema;
  readonly #types: Naming[] = [];
  readonly #records: Naming[] = [];
  readonly #taken = new Set(TAKEN);
  readonly #constants = new Set<string>();
  readonly #derived = new Map<number, string>();
  /** Number of places of each record. */
  readonly #uses: number[];

  /** @param root name of the payload */
  constructor(schema: PayloadSchema, root: string) {
    this.#schema = schema;
    this.#uses = schema.records.map(
      (_, record) => schema.types.filter((type) => type.record === record).length,
    );
    const name = upper(toIdentifier([root], 'sample'));
    this.#types[0] = { name: this.#fresh(TAKEN.has(name) ? 'Sample' : name), path: '$' };
    for (let at = 0; at < schema.types.length; at++) this.#nameBelow(at);
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

  /** Path of a field of the record at this path. */
  field(record: string, key: string): string {
    return record + keyText(key);
  }

  /** Types are numbered breadth first, so each type has a name before the types below it. */
  #nameBelow(at: number): void {
    const type = this.#schema.types[at]!;
    const own = this.#types[at]!;
    if (type.record !== undefined) this.#nameRecord(type.record, at);
    for (const { type: inner, step } of insideOf(type)) {
      const name = step === '{key}' ? `${own.name}Key` : singular(own.name);
      this.#nameType(inner, name, own.path + step);
    }
  }

  #nameRecord(record: number, type: number): void {
    if (this.#records[record] !== undefined) return;
    const { name, path } = this.#types[type]!;
    const own = { name, path: this.#uses[record] === 1 ? path : name };
    this.#records[record] = own;
    const { fields, loose } = this.#schema.records[record]!;
    if (loose !== undefined) this.#nameType(loose, singular(name), `${own.path}.*`);
    for (const field of fields)
      this.#nameType(
        field.type,
        upper(toIdentifier([field.key], 'value')),
        this.field(own.path, field.key),
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
    const isFree = (one: string) => !this.#taken.has(one) && !this.#constants.has(upperCase(one));
    const numbered = (n: number): string => (isFree(name + n) ? name + n : numbered(n + 1));
    const found = isFree(name) ? name : owner !== '' && isFree(owned) ? owned : numbered(2);
    this.#taken.add(found);
    this.#constants.add(upperCase(found));
    return found;
  }
}

/** Name of an item: `Orders` -> `Order`, `News` -> `NewsItem` -> `NewsItem2`. */
const singular = (name: string): string => toSingular(name) ?? `${name.replace(/Item\d*$/, '')}Item`;
