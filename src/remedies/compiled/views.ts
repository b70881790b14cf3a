import type { PayloadSchema, RecordField } from '../../model/documents/payload-schema.ts';
import { indent, listCode, member, propertyName } from '../code/javascript.ts';
import type { SchemaCode } from './schema-code.ts';
import { ONE_INT, type Places } from './way.ts';

/** Code that reads lists of records from a message without building them. */
export interface ViewText {
  /** Interfaces, in TypeScript. */
  types: string[];
  /** Return type of `viewMessage`, in TypeScript. */
  type: string;
  /** Expressions that read the view from a message, and from a payload that was sent unchanged. */
  read: string;
  ofPayload: string;
  functions: string[];
}

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

/** A place whose value in the view differs from the value in the payload. */
type View =
  | { list: number; fixed: RecordPlaces; record: number }
  | { record: number; inside: Map<string, View> };

/** Lists of records with the same keys, in the payload or in its records; null if there are none. */
function viewAt(
  schema: PayloadSchema,
  code: SchemaCode,
  at: number,
  above: readonly number[] = [],
): View | null {
  const way = code.onlyWay(at);
  const { list, record } = schema.types[at]!;
  if (way?.name === 'list') {
    const items = schema.types[list!]!.record;
    const isOfRecords = code.onlyWay(list!)?.name === 'record' && code.call(list!).known === '';
    const fixed = isOfRecords ? recordPlaces(schema, code, items!) : null;
    return fixed && { list: at, fixed, record: items! };
  }
  if (way?.name !== 'record' || above.includes(record!) || !hasOneLayout(schema, record!)) return null;
  const inside = new Map<string, View>();
  for (const { key, type } of schema.records[record!]!.fields) {
    const view = key === '__proto__' ? null : viewAt(schema, code, type, [...above, record!]);
    if (view !== null) inside.set(key, view);
  }
  return inside.size === 0 ? null : { record: record!, inside };
}

/** Null if the payload does not contain a list of records with the same keys. */
export function viewText(schema: PayloadSchema, code: SchemaCode): ViewText | null {
  const view = viewAt(schema, code, 0);
  if (view === null) return null;
  const text = new Views(schema, code);
  const root = text.of(view);
  return { ...root, types: [TYPES, ...text.types], functions: text.functions };
}

class Views {
  readonly types: string[] = [];
  readonly functions: string[] = [];
  readonly #schema: PayloadSchema;
  readonly #code: SchemaCode;

  constructor(schema: PayloadSchema, code: SchemaCode) {
    this.#schema = schema;
    this.#code = code;
  }

  /** @param value expression of the same place in a payload that was sent unchanged */
  of(view: View, value = 'payload'): Pick<ViewText, 'type' | 'read' | 'ofPayload'> {
    const { names } = this.#code;
    if ('list' in view) {
      const name = `view${names.type(view.list).name}`;
      this.functions.push(this.#list(name, view));
      const type = `Columns<${names.record(view.record).name}>`;
      return { type, read: `${name}()`, ofPayload: `columnsOf(${value})` };
    }
    const { name } = names.record(view.record);
    const { fields } = this.#schema.records[view.record]!;
    const inside = new Map([...view.inside].map(([key, one]) => [key, this.of(one, `value${member(key)}`)]));
    this.types.push(this.#interface(name, fields, inside));
    this.functions.push(this.#record(name, fields, inside));
    return { type: `${name}View`, read: `view${name}()`, ofPayload: `view${name}Of(${value})` };
  }

  #interface(
    name: string,
    fields: readonly RecordField[],
    inside: ReadonlyMap<string, { type: string }>,
  ): string {
    const members = fields.map(
      ({ key, type }) => `  ${propertyName(key)}: ${inside.get(key)?.type ?? this.#code.types.text(type)};`,
    );
    return [`export interface ${name}View {`, ...members, '}'].join('\n');
  }

  #record(name: string, fields: readonly RecordField[], inside: ReadonlyMap<string, ViewParts>): string {
    const read = ({ key, type }: RecordField) => inside.get(key)?.read ?? this.#code.read(type);
    const all = fields.map((field) => `${propertyName(field.key)}: ${read(field)}`);
    const changed = [...inside].map(([key, { ofPayload }]) => `${propertyName(key)}: ${ofPayload}`);
    return `function view${name}(mark = nextInt())/*: ${name}View */ {
  if (mark !== 0) return view${name}Of(readOther(mark)/*as ${name} */);
${indent(listCode('return { ', all, ' };', 4))}
}

function view${name}Of(value/*: ${name} */)/*: ${name}View */ {
  if (!isPlain(value)) return value/*as unknown as ${name}View */;
${indent(listCode('return { ...value, ', changed, ' };', 4))}
}`;
  }

  /** Code that locates the values of each record. If a record does not fit, the whole list is built. */
  #list(
    name: string,
    { list, fixed, record }: { list: number; fixed: RecordPlaces; record: number },
  ): string {
    const code = this.#code;
    const type = code.names.record(record).name;
    const columns = fixed.columns.map(({ key, at, ints, doubles }) => {
      const array = code.call(at).known === '' ? code.onlyWay(at)?.array : undefined;
      return `    ${propertyName(key)}: [${ints}, ${doubles}, ${readerExpression(code, at)}${array ? `, ${array}` : ''}],`;
    });
    const marks = fixed.marks.flat().join(', ');
    return `const ${name} = () =>
  fixedRows/*<${type}> */(read${type}, () => ${code.read(list)}, {
    ints: ${fixed.ints},
    doubles: ${fixed.doubles},
    texts: [${fixed.texts.join(', ')}],
    marks: [${marks}],
    columns: {
${indent(columns.join('\n'))}
    },
  });`;
  }
}

const readerExpression = (code: SchemaCode, at: number): string => {
  const read = code.read(at);
  return /^read\w+\(\)$/.test(read) ? read.slice(0, -2) : `() => ${read}`;
};

type ViewParts = Pick<ViewText, 'type' | 'read' | 'ofPayload'>;

/** Space of a record in a message. */
interface RecordPlaces extends Places {
  /** Number of integers and doubles before each field, whose type is `at`. */
  columns: readonly { key: string; at: number; ints: number; doubles: number }[];
}

const hasOneLayout = ({ records }: PayloadSchema, at: number): boolean =>
  records[at]!.loose === undefined && records[at]!.layouts?.length === 1;

/** Space of a type's values in a message; null if it differs. Constants next to numbers and records take less. */
function fixedPlaces(schema: PayloadSchema, code: SchemaCode, at: number): Places | null {
  const type = schema.types[at]!;
  const way = code.onlyWay(at);
  const { name, known } = code.call(at);
  if (way?.name === 'record' && known === '') return recordPlaces(schema, code, type.record!);
  const own = name === 'Other' ? ONE_INT : way?.places?.(type);
  const isOneInt = own?.doubles === 0 && own.marks.length === 0;
  return own && (known === '' || isOneInt) ? own : null;
}

function recordPlaces(schema: PayloadSchema, code: SchemaCode, record: number): RecordPlaces | null {
  if (!hasOneLayout(schema, record)) return null;
  let [ints, doubles] = [1, 0];
  const texts: number[] = [];
  const marks: [at: number, mark: number][] = [[0, 0]];
  const columns: { key: string; at: number; ints: number; doubles: number }[] = [];
  for (const { key, type } of schema.records[record]!.fields) {
    const own = fixedPlaces(schema, code, type);
    if (own === null) return null;
    columns.push({ key, at: type, ints, doubles });
    texts.push(...own.texts.map((place) => place + ints));
    for (const [place, mark] of own.marks) marks.push([place + ints, mark]);
    ints += own.ints;
    doubles += own.doubles;
  }
  return { ints, doubles, texts, marks, columns };
}
