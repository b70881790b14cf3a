import { fnv1aHex } from '../../model/cut.ts';
import type { CodecSchema, PayloadSchema, RecordField } from '../../model/documents/payload-schema.ts';
import type { Codec } from '../../model/rules/remedy.ts';
import { indent, listCode, member, propertyName } from '../code/javascript.ts';
import { BYTES_AND_TEXT } from '../code/shared-declarations.ts';
import { helpersOf, STREAMS } from './helpers.ts';
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
const formatVersion = ({ types, records }: PayloadSchema, form: TextForm, { name }: Carrier): string => {
  const ways = types.map((type) => ({ ...type, text: waysOf(type, form).map((way) => way.name) }));
  return fnv1aHex(JSON.stringify([FORMAT, ways, records, name]));
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

/** viewed: a joined message whose receiver reads by column. base64: a joined message for channels that carry JSON. */
export type CodecForm = TextForm | 'viewed' | 'base64';

export interface CodecTerms extends Omit<CodecSchema, 'form'> {
  form: CodecForm;
}

/** @param isMoved adds `transferList`, for channels that move buffers */
export function compiledCodec(
  { schema, name, form, view = form === 'viewed' }: CodecTerms,
  isMoved = false,
): CompiledText {
  const carrier = form === 'base64' ? AS_TEXT : CLONED;
  const texts = form === 'listed' ? 'listed' : 'joined';
  const code = new SchemaCode(schema, name, texts);
  const payloadType = code.types.text(0);
  const views = new Views(schema, code);
  // A payload without such a list has no view.
  const writeView = view ? views.at(0) : null;
  const shown = writeView?.(`message.asIs/*as unknown as ${payloadType} */`);
  code.finish();
  const own = [
    `const VERSION = '${formatVersion(schema, texts, carrier)}';`,
    toMessage(`write${code.root}`, carrier),
    reader(`fromMessage${NARROWER}`, 'T', `read${code.root}`, 'message.asIs/*as T */', carrier),
    ...(isMoved && carrier === CLONED ? [TRANSFER_LIST] : []),
    ...(shown ? [reader('viewMessage', shown.type, `() => ${shown.read}`, shown.ofPayload, carrier)] : []),
    ...views.functions,
    ...code.functions,
  ].join('\n\n');
  const made = [own, ...carrier.code].join('\n\n');
  return {
    types: [
      ...code.types.declarations(),
      ...(shown ? views.types : []),
      `export type Payload = ${payloadType};`,
    ],
    messageType: `${carrier.messageType} | { asIs: Payload }`,
    ...(!shown && { own: made }),
    source: [own, SHARED, helpersOf(made), ...carrier.code].join('\n\n'),
    hasView: shown !== undefined,
  };
}

/** Transport of the numbers of a message. */
interface Carrier {
  /** It is part of the version of a codec. */
  name: string;
  messageType: string;
  /** Expression of the written message. */
  sent(streams: string): string;
  /** Additional argument of `receive`. */
  open: string;
  code: string[];
}

const CLONED: Carrier = {
  name: 'cloned',
  messageType: STREAMS,
  sent: (streams) => streams,
  open: '',
  code: [],
};

/** JSON cannot express typed arrays. Their bytes are sent as base64 text, which is faster than numbers in digits. */
const AS_TEXT: Carrier = {
  name: 'base64',
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

/** Code that reads lists of records from a message without building them. */
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

/** Views of lists of records with the same keys, in the payload or in its records. */
class Views {
  readonly types = [TYPES];
  readonly functions: string[] = [];
  readonly #schema: PayloadSchema;
  readonly #code: SchemaCode;

  constructor(schema: PayloadSchema, code: SchemaCode) {
    this.#schema = schema;
    this.#code = code;
  }

  /**
   * Null for a place whose value in the view is the value of the payload. Otherwise writes the view, given the expression
   * of the same place in a payload that was sent unchanged.
   */
  at(at: number, above: readonly number[] = []): ((value: string) => ViewParts) | null {
    const code = this.#code;
    const way = code.onlyWay(at);
    const { list, record } = this.#schema.types[at]!;
    if (way?.name === 'list') {
      const items = this.#schema.types[list!]!.record!;
      const isOfRecords = code.onlyWay(list!)?.name === 'record' && code.call(list!).known === '';
      const fixed = isOfRecords ? this.#recordPlaces(items) : null;
      return fixed && ((value) => this.#list(at, fixed, code.types.record(items).name, value));
    }
    if (way?.name !== 'record' || above.includes(record!) || !this.#hasOneLayout(record!)) return null;
    const { fields } = this.#schema.records[record!]!;
    const inside = fields.flatMap(({ key, type }) => {
      const write = key === '__proto__' ? null : this.at(type, [...above, record!]);
      return write === null ? [] : [{ key, write }];
    });
    if (inside.length === 0) return null;
    return (value) => {
      const views = inside.map(({ key, write }) => [key, write(`value${member(key)}`)] as const);
      return this.#record(code.types.record(record!).name, fields, new Map(views), value);
    };
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
