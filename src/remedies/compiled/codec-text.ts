import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import { fnv1aHex } from '../../model/fnv1a.ts';
import type { Codec } from '../../model/rules/remedy.ts';
import { BYTES_AND_TEXT } from '../code/shared-declarations.ts';
import { helpersOf } from './helpers/index.ts';
import { STREAMS } from './helpers/message.ts';
import { SchemaCode } from './schema-code.ts';
import { viewText } from './views.ts';
import type { TextForm } from './way.ts';
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
