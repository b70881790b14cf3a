import type { PayloadSchema, RecordField } from '../../model/documents/payload-schema.ts';
import { fnv1aHex } from '../../model/fnv1a.ts';
import type { Codec } from '../../model/rules/remedy.ts';
import { indent, listCode, member, propertyName } from '../code/javascript.ts';
import { BYTES_AND_TEXT } from '../code/shared-declarations.ts';
import { helpersOf } from './helpers/index.ts';
import { STREAMS } from './helpers/message.ts';
import { SchemaCode } from './schema-code.ts';
import { ONE_INT, type Places, type TextForm } from './way.ts';
import { waysOf } from './ways/index.ts';

/** The module of a compiled codec, with types in comments. Views lack `own`: their helpers use the payload's types. */
interface CompiledText extends Pick<Codec, 'source' | 'own' | 'messageType'> {
  types: string[];
  /** True if it exports `viewMessage`. */
  hasView: boolean;
}

/** Version of the message format. Raise it if codecs write the same schema differently. */
const FORMAT = 2;

/** Fingerprint in each message. It depends on the message format, and not on the number of texts in a sample. */
const formatVersion = ({ types, records }: PayloadSchema, form: TextForm, carrier: CarrierName): string => {
  const ways = types.map((type) => ({ ...type, text: waysOf(type, form).map(({ name }) => name) }));
  return fnv1aHex(JSON.stringify([FORMAT, ways, records, carrier]));
};

/** Line between the two parts of a module. */
const SHARED = '// From here on it is the same in all codecs.';

const toMessage = (write: string, { sent }: Carrier) =>
  `export function toMessage(payload/*: Payload */, onMiss/*?: (path: string) => void */)/*: Message */ {
  return ${sent(`send(VERSION, payload, ${write}, onMiss)`)};
}`;

/** Moving is faster than copying from about 4 kB on, and never slower: the arrays are made for one message. */
const TRANSFER_LIST = `export function transferList(message/*: Message */)/*: ArrayBuffer[] */ {
  return 'asIs' in message ? [] : [message.ints.buffer/*as ArrayBuffer */, message.doubles.buffer/*as ArrayBuffer */];
}`;

const AS_IS = "Object(message) === message && 'asIs' in message";

/** The receiver can specify a narrower type. */
const NARROWER = '/*<T extends Payload = Payload> */';

/** Code of `fromMessage` or `viewMessage`. */
const reader = (name: string, type: string, read: string, asIs: string, { open }: Carrier) =>
  `export function ${name}(message/*: Message */)/*: ${type} */ {
  if (${AS_IS}) return ${asIs};
  return receive(VERSION, message, ${read}${open})/*as ${type} */;
}`;

interface CodecParts {
  /** Adds `viewMessage`, if the payload has a list of records with the same keys. */
  withView?: boolean;
  /** Adds `transferList`, for channels that move buffers. */
  isMoved?: boolean;
  carriedBy?: CarrierName;
}

export function compiledCodec(
  schema: PayloadSchema,
  name: string,
  form: TextForm,
  { withView = false, isMoved = false, carriedBy = 'cloned' }: CodecParts = {},
): CompiledText {
  const carrier = CARRIERS[carriedBy];
  const code = new SchemaCode(schema, name, form);
  const view = withView ? viewText(schema, code) : null;
  code.finish();
  const payloadType = code.types.text(0);
  const viewOf = view?.ofPayload.replace('(payload)', `(message.asIs/*as unknown as ${payloadType} */)`);
  const own = [
    `const VERSION = '${formatVersion(schema, form, carriedBy)}';`,
    toMessage(`write${code.root}`, carrier),
    reader(`fromMessage${NARROWER}`, 'T', `read${code.root}`, 'message.asIs/*as T */', carrier),
    ...(isMoved ? [TRANSFER_LIST] : []),
    ...(view ? [reader('viewMessage', view.type, `() => ${view.read}`, viewOf!, carrier)] : []),
    ...(view?.functions ?? []),
    ...code.functions,
  ].join('\n\n');
  const made = [own, ...carrier.code].join('\n\n');
  return {
    types: [...code.types.declarations(), ...(view?.types ?? []), `export type Payload = ${payloadType};`],
    messageType: `${carrier.messageType} | { asIs: Payload }`,
    ...(view === null && { own: made }),
    source: [own, SHARED, helpersOf(made), ...carrier.code].join('\n\n'),
    hasView: view !== null,
  };
}

/** Transport of the numbers of a message. */
interface Carrier {
  /** Type of a message, in TypeScript. */
  messageType: string;
  /** Expression of the written message. */
  sent(streams: string): string;
  /** Additional argument of `receive`. */
  open: string;
  code: string[];
}

const CLONED: Carrier = { messageType: STREAMS, sent: (streams) => streams, open: '', code: [] };

/** JSON cannot express typed arrays. Their bytes are sent as base64 text, which is faster than numbers in digits. */
const AS_TEXT: Carrier = {
  messageType:
    '{ version: string; ints: string; doubles: string; text: string; words: string; rest: unknown[] }',
  sent: (streams) => `toTexts(${streams}, payload, onMiss)`,
  open: ', fromTexts',
  code: [
    BYTES_AND_TEXT,
    `const numbersText = ({ buffer, byteLength }/*: Int32Array | Float64Array */)/*: string */ =>
  base64Of(new Uint8Array(buffer, 0, byteLength));
function toTexts/*<P> */(message/*: Streams | { asIs: P } */, payload/*: P */, onMiss/*?: (path: string) => void */) {
  try {
    if ('asIs' in message) return message;
    const { ints, doubles, rest } = message;
    return { ...message, ints: numbersText(ints), doubles: numbersText(doubles), rest: rest.map(bytesToText) };
  } catch {
    onMiss?.('$'); // something in it looks like such a text
    return { asIs: payload };
  }
}
/*type Texts = Exclude<Message, { asIs: Payload }>; */
const fromTexts = (one/*: unknown */)/*: Streams */ => {
  const message = one/*as Texts */;
  return {
    ...message,
    ints: new Int32Array(bytesOf(message.ints).buffer),
    doubles: new Float64Array(bytesOf(message.doubles).buffer),
    rest: message.rest.map(textToBytes),
  };
};`,
  ],
};

const CARRIERS = { cloned: CLONED, base64: AS_TEXT } as const;
type CarrierName = keyof typeof CARRIERS;

/** Code that reads lists of records from a message without building them. */
interface ViewText {
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
function viewText(schema: PayloadSchema, code: SchemaCode): ViewText | null {
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
    const { types } = this.#code;
    if ('list' in view) {
      const name = `view${types.type(view.list).name}`;
      this.functions.push(this.#list(name, view));
      const type = `Columns<${types.record(view.record).name}>`;
      return { type, read: `${name}()`, ofPayload: `columnsOf(${value})` };
    }
    const { name } = types.record(view.record);
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
    const type = code.types.record(record).name;
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
