/** Views: lists of records that are read from a message by column or record, without building them all. */
import type { PayloadSchema, RecordField } from '../../model/documents/payload-schema.ts';
import { compare } from '../../value/compare/compare.ts';
import { indent, listCode, member, propertyName } from '../code/javascript.ts';
import type { SchemaCode } from './schema-code.ts';
import { ONE_INT, type Places } from './ways/scalars.ts';

export const COLUMN_HELPERS: readonly string[] = [
  `/** Where the texts of each record start; null where not each value has its place. */
function textStarts(width/*: number */, texts/*: number[] */, marks/*: number[] */, length/*: number */)/*: Int32Array | null */ {
  const all = intsIn.subarray(ip, ip + width * length);
  if (all.length < width * length) return null;
  for (let at = 0; at < all.length; at++) if (all[at]/*as number */ < FALSE) return null;
  const starts = new Int32Array(length + 1);
  let end = tp;
  for (let row = 0, at = 0; row < length; row++, at += width) {
    starts[row] = end;
    for (let n = 0; n < marks.length; n += 2) {
      if (all[at + (marks[n]/*as number */)] !== marks[n + 1]) return null;
    }
    for (let n = 0; n < texts.length; n++) {
      const units = all[at + (texts[n]/*as number */)]/*as number */;
      if (units > 0) end += units;
    }
  }
  starts[length] = end;
  return starts;
}`,
  `/** Records that take as many places each: they are read where they stand. */
function fixedRows/*<T> */(read/*: () => T */, readAll/*: () => T[] */, fixed/*: Fixed<T> */)/*: Columns<T> */ {
  const length = nextInt();
  if (!isLength(length)) return columnsOf(readOther(length)/*as T[] */);
  const starts = textStarts(fixed.ints, fixed.texts, fixed.marks, length);
  if (starts === null || doublesIn.subarray(dp, dp + fixed.doubles * length).includes(ESCAPE)) {
    ip--;
    return columnsOf(readAll());
  }
  const message = { version: versionIn, ints: intsIn, doubles: doublesIn, text: textIn, words: '', rest: restIn };
  const [known, firstInt, firstDouble] = [wordsIn, ip, dp];
  [ip, dp, tp] = [ip + fixed.ints * length, dp + fixed.doubles * length, starts[length]/*as number */];
  const readAt = /*<V> */(row/*: number */, skipped/*: number */, doubles/*: number */, one/*: () => V */)/*: V */ => {
    take(message);
    wordsIn = known;
    ip = firstInt + row * fixed.ints;
    tp = starts[row]/*as number */;
    for (const place of fixed.texts) if (place < skipped) tp += Math.max(0, intsIn[ip + place]/*as number */);
    ip += skipped;
    dp = firstDouble + row * fixed.doubles + doubles;
    const value = one();
    take(NOTHING);
    return value;
  };
  const column = (key/*: keyof T */) => {
    const [ints, doubles, one, array] = fixed.columns[key];
    const values = Array.from({ length }, (_, row) => readAt(row, ints, doubles, one));
    return array !== undefined && values.every(isNumber) ? array.from(values/*as number[] */) : values;
  };
  return records(length, (row) => readAt(row, 0, 0, read), column);
}`,
  `function records/*<T> */(length/*: number */, read/*: (row: number) => T */, column/*: (key: keyof T) => unknown */)/*: Columns<T> */ {
  return {
    length,
    at(place) {
      const row = place < 0 ? place + length : place;
      if (!(row >= 0 && row < length)) throw new RangeError(\`no record \${place} of \${length}\`);
      return read(row);
    },
    column: (key) => column(key)/*as never */,
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row++) yield read(row);
    },
  };
}`,
  `/** Columns of records that were built. */
function columnsOf/*<T> */(list/*: T[] */)/*: Columns<T> */ {
  if (!Array.isArray(list)) return list;
  const column = (key/*: keyof T */) => {
    const all = list.map((one/*: T | null */) => one?.[key]);
    return all.every(isNumber) ? Float64Array.from(all) : all;
  };
  return records(list.length, (row) => list[row]/*as T */, column);
}`,
];

const TYPES = `/** A list of records by column: \`at\` and iteration make one record at a time. */
export interface Columns<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T;
  column<K extends keyof T & string>(key: K): Column<T[K]>;
}

/** Numbers are in a typed array, if nothing else stands among them. */
export type Column<V> = [V] extends [number] ? Int32Array | Float64Array : V[];

/** Where the values of one record are, of those that take as many places each. */
interface Fixed<T> {
  ints: number;
  doubles: number;
  /** Integers that are lengths of texts. */
  texts: number[];
  /** Places of integers, each before the one that stands there if all fits. */
  marks: number[];
  /** Places before each column, its reader, and the array for all of it. */
  columns: { [K in keyof T]: [number, number, () => T[K], (typeof Int32Array | typeof Float64Array)?] };
}`;

interface ViewParts {
  type: string;
  /** Expressions that read the view from a message, and from a payload that was sent unchanged. */
  read: string;
  ofPayload: string;
}

interface RecordPlaces extends Places {
  /** Number of integers and doubles before each field, whose type is `at`. */
  columns: readonly { key: string; at: number; ints: number; doubles: number }[];
}

export class Views {
  readonly types = [TYPES];
  readonly functions: string[] = [];
  readonly #schema: PayloadSchema;
  readonly #code: SchemaCode;

  constructor(schema: PayloadSchema, code: SchemaCode) {
    this.#schema = schema;
    this.#code = code;
  }

  /** Null if the view has the payload's value. @param value expression of the place in a payload that is sent unchanged */
  at(at: number, value: string, above: readonly number[] = []): ViewParts | null {
    const code = this.#code;
    const way = code.onlyWay(at)?.name;
    const { list, record } = this.#schema.types[at]!;
    if (way === 'list') {
      const items = this.#schema.types[list!]!.record!;
      const isOfRecords = code.onlyWay(list!)?.name === 'record' && code.call(list!).known === '';
      const fixed = isOfRecords ? this.#recordPlaces(items) : null;
      return fixed && this.#list(at, fixed, code.types.record(items).name, value);
    }
    if (way !== 'record' || above.includes(record!) || !this.#hasOneLayout(record!)) return null;
    const { fields } = this.#schema.records[record!]!;
    const inside = new Map<string, ViewParts>();
    for (const { key, type } of fields) {
      const view = key === '__proto__' ? null : this.at(type, `value${member(key)}`, [...above, record!]);
      if (view !== null) inside.set(key, view);
    }
    return inside.size === 0 ? null : this.#record(code.types.record(record!).name, fields, inside, value);
  }

  #record(
    name: string,
    fields: readonly RecordField[],
    inside: ReadonlyMap<string, ViewParts>,
    value: string,
  ): ViewParts {
    const code = this.#code;
    const members = fields.map(
      ({ key, type }) => `  ${propertyName(key)}: ${inside.get(key)?.type ?? code.types.text(type)};`,
    );
    const all = fields.map(
      ({ key, type }) => `${propertyName(key)}: ${inside.get(key)?.read ?? code.read(type)}`,
    );
    const changed = [...inside].map(([key, { ofPayload }]) => `${propertyName(key)}: ${ofPayload}`);
    this.types.push([`export interface ${name}View {`, ...members, '}'].join('\n'));
    this.functions.push(`function view${name}(mark = nextInt())/*: ${name}View */ {
  if (mark !== 0) return view${name}Of(readOther(mark)/*as ${name} */);
${indent(listCode('return { ', all, ' };', 4))}
}

function view${name}Of(value/*: ${name} */)/*: ${name}View */ {
  if (!isPlain(value)) return value/*as unknown as ${name}View */;
${indent(listCode('return { ...value, ', changed, ' };', 4))}
}`);
    return { type: `${name}View`, read: `view${name}()`, ofPayload: `view${name}Of(${value})` };
  }

  /** Code that locates the values of each record. If a record does not fit, the whole list is built. */
  #list(list: number, fixed: RecordPlaces, type: string, value: string): ViewParts {
    const code = this.#code;
    const name = `view${code.types.type(list).name}`;
    const columns = fixed.columns.map(({ key, at, ints, doubles }) => {
      const array = code.call(at).known === '' ? code.onlyWay(at)?.array : undefined;
      const read = code.read(at);
      const reader = /^read\w+\(\)$/.test(read) ? read.slice(0, -2) : `() => ${read}`;
      return `    ${propertyName(key)}: [${ints}, ${doubles}, ${reader}${array ? `, ${array}` : ''}],`;
    });
    this.functions.push(`const ${name} = () =>
  fixedRows/*<${type}> */(read${type}, () => ${code.read(list)}, {
    ints: ${fixed.ints},
    doubles: ${fixed.doubles},
    texts: [${fixed.texts.join(', ')}],
    marks: [${fixed.marks.flat().join(', ')}],
    columns: {
${indent(columns.join('\n'))}
    },
  });`);
    return { type: `Columns<${type}>`, read: `${name}()`, ofPayload: `columnsOf(${value})` };
  }

  #hasOneLayout(record: number): boolean {
    const { loose, layouts } = this.#schema.records[record]!;
    return loose === undefined && layouts?.length === 1;
  }

  /** Space of a type's values in a message; null if it differs. Constants next to numbers and records take less. */
  #placesOf(at: number): Places | null {
    const type = this.#schema.types[at]!;
    const way = this.#code.onlyWay(at);
    const { name, known } = this.#code.call(at);
    if (way?.name === 'record' && known === '') return this.#recordPlaces(type.record!);
    const own = name === 'Other' ? ONE_INT : way?.places?.(type);
    const isOneInt = own?.doubles === 0 && own.marks.length === 0;
    return own && (known === '' || isOneInt) ? own : null;
  }

  #recordPlaces(record: number): RecordPlaces | null {
    if (!this.#hasOneLayout(record)) return null;
    const places = { ints: 1, doubles: 0, texts: [] as number[], marks: [[0, 0]] as [number, number][] };
    const columns: { key: string; at: number; ints: number; doubles: number }[] = [];
    for (const { key, type } of this.#schema.records[record]!.fields) {
      const own = this.#placesOf(type);
      if (own === null) return null;
      const { ints, doubles } = places;
      columns.push({ key, at: type, ints, doubles });
      places.texts.push(...own.texts.map((place) => place + ints));
      for (const [place, mark] of own.marks) places.marks.push([place + ints, mark]);
      places.ints += own.ints;
      places.doubles += own.doubles;
    }
    return { ...places, columns };
  }
}

interface Columns extends Iterable<object> {
  at(row: number): object;
  column(key: string): ArrayLike<unknown>;
}

const isColumns = (value: object): value is Columns =>
  'column' in value && typeof value.column === 'function';

/** The payload that a view shows. Payloads cannot contain functions, so methods identify lists of records. */
export function readWhole(view: unknown): unknown {
  if (typeof view !== 'object' || view === null) return view;
  if (isColumns(view)) return provenRecords(view);
  if (Object.getPrototypeOf(view) !== Object.prototype) return view;
  return Object.fromEntries(Object.entries(view).map(([key, value]) => [key, readWhole(value)]));
}

function provenRecords(columns: Columns): object[] {
  const records = [...columns];
  for (const key of Object.keys(records[0] ?? {})) {
    const values = records.map((record) => Reflect.get(Object(record) as object, key) as unknown);
    if (compare(values, Array.from(columns.column(key))).length > 0)
      throw new Error(`the column ${key} differs from the records`);
  }
  return records;
}
