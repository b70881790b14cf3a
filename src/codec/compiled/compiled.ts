import { fnv1aHex } from '../../model/cut.ts';
import type { CodecSchema, PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { isJson } from '../../model/names.ts';
import { type Codec, type ProposalFacts, type Remedy, RemedyRefused } from '../../model/rules/remedy.ts';
import { filter } from '../../value/read/lists.ts';
import { callCode, TO_WORKER, takesTransferList } from '../code/call.ts';
import { calledBy, functionsOf } from '../code/javascript.ts';
import { oncePerPlan } from '../code/remedy-from-code.ts';
import { IS_OBJECT, SHARED } from '../code/shared-declarations.ts';
import { helpersOf, STREAMS } from './helpers.ts';
import { SchemaCode } from './schema-code.ts';
import { readWhole, Views } from './views.ts';
import { hasLongTexts, isAllRest, waysOf } from './ways/index.ts';
import type { TextForm } from './ways/scalars.ts';

/** Version of the message format. Raise it if codecs write the same schema differently. */
const FORMAT = 2;

/** Fingerprint in each message. It depends on the message format, and not on the number of texts in a sample. */
const formatVersion = ({ types, records }: PayloadSchema, form: TextForm, carrier: string): string => {
  const ways = types.map((type) => ({ ...type, text: waysOf(type, form).map((way) => way.name) }));
  return fnv1aHex(JSON.stringify([FORMAT, ways, records, carrier]));
};

const toMessage = (sent: string) =>
  `export function toMessage(payload/*: Payload */, onMiss/*?: (path: string) => void */)/*: Message */ {
  return ${sent};
}`;

/** Moving is faster than copying from about 4 kB on, and never slower: the arrays are made for one message. */
const TRANSFER_LIST = `export function transferList(message/*: Message */)/*: ArrayBuffer[] */ {
  return 'asIs' in message ? [] : [message.ints.buffer/*as ArrayBuffer */, message.doubles.buffer/*as ArrayBuffer */];
}`;

/** The receiver can specify a narrower type. */
const NARROWER = '/*<T extends Payload = Payload> */';

const reader = (name: string, type: string, read: string, asIs: string) =>
  `export function ${name}(message/*: Message */)/*: ${type} */ {
  if (Object(message) === message && 'asIs' in message) return ${asIs};
  return receive(VERSION, message, ${read})/*as ${type} */;
}`;

export interface CodecTerms extends Omit<CodecSchema, 'form'> {
  /** viewed: a joined message whose receiver reads by column. base64: a joined message for channels that carry JSON. */
  form: TextForm | 'viewed' | 'base64';
}

/** The module of a compiled codec, with types in comments. Views lack `own`: their helpers use the payload's types. */
export function compiledCodec({ schema, name, form, view = form === 'viewed' }: CodecTerms, isMoved = false) {
  const isText = form === 'base64';
  const texts = form === 'listed' ? 'listed' : 'joined';
  const code = new SchemaCode(schema, name, texts);
  const views = new Views(schema, code);
  const shown = view ? views.at(0, `message.asIs/*as unknown as ${code.types.text(0)} */`) : null;
  code.finish();
  const written = `send(VERSION, payload, write${code.root}, onMiss)`;
  const open = isText ? ', fromTexts' : '';
  const own = [
    `const VERSION = '${formatVersion(schema, texts, isText ? 'base64' : 'cloned')}';`,
    toMessage(isText ? `toTexts(${written}, payload, onMiss)` : written),
    reader(`fromMessage${NARROWER}`, 'T', `read${code.root}${open}`, 'message.asIs/*as T */'),
    ...(isMoved && !isText ? [TRANSFER_LIST] : []),
    ...(shown ? [reader('viewMessage', shown.type, `() => ${shown.read}${open}`, shown.ofPayload)] : []),
    ...views.functions,
    ...code.functions,
  ].join('\n\n');
  const carrier = isText ? [AS_TEXT] : [];
  const made = [own, ...carrier].join('\n\n');
  return {
    types: code.types.declarations(shown ? views.types : []),
    messageType: `${isText ? TEXT_STREAMS : STREAMS} | { asIs: Payload }`,
    ...(!shown && { own: made }),
    source: [own, '// From here on it is the same in all codecs.', helpersOf(made), ...carrier].join('\n\n'),
    hasView: shown !== null,
  };
}

const TEXT_STREAMS =
  '{ version: string; ints: string; doubles: string; text: string; words: string; rest: unknown[] }';

/** JSON cannot express typed arrays. Their bytes are sent as base64 text, which is faster than numbers in digits. */
const TO_TEXT = `const numbersText = ({ buffer, byteLength }/*: Int32Array | Float64Array */)/*: string */ =>
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
};`;

/** Each compiled codec has `isObject` already: a second declaration would not compile. */
const AS_TEXT = [
  calledBy(
    TO_TEXT,
    filter(SHARED, ({ code }) => code !== IS_OBJECT),
  ),
  TO_TEXT,
].join('\n\n');

/** A report has it without `schema`, because the run has that. */
type CompiledPlan = Plan & CodecTerms;

interface Functions {
  toMessage(payload: unknown): object;
  fromMessage(message: unknown): unknown;
  viewMessage?(message: unknown): unknown;
  transferList?(message: unknown): object[];
}

const compileOnce = oncePerPlan((plan) =>
  functionsOf<Functions>(compiledCodec(plan as CompiledPlan, true).source),
);

/** The last part of an id: `orders.mjs#small` -> `small`, `src/pool.js:41#2` -> `pool`. */
const typeName = (id: string): string =>
  id.replace(/(\.[cm]?[jt]sx?)?(:\d+)?(#\d+)?$/s, '').replace(/^.*[#/]/s, '') || 'payload';

function plans(
  _: Shape,
  { schema, channel = 'worker', id = 'payload', withView = false }: ProposalFacts,
): CompiledPlan[] {
  if (!schema) return [];
  const name = typeName(id);
  if (isJson(channel))
    return isAllRest(schema, 'joined') ? [] : [{ path: '$', form: 'base64', name, schema }];
  const forms: TextForm[] = hasLongTexts(schema) ? ['joined', 'listed'] : ['joined'];
  const plain = forms
    .filter((form) => !isAllRest(schema, form))
    .map((form): CompiledPlan => ({ path: '$', form, name, schema }));
  const viewed: CompiledPlan = { path: '$', form: 'viewed', isView: true, name, schema };
  return withView && compiledCodec(viewed).hasView ? [...plain, viewed] : plain;
}

function receive(message: unknown, plan: Plan): unknown {
  const { fromMessage, viewMessage = fromMessage } = compileOnce(plan);
  return plan.isView ? viewMessage(message) : fromMessage(message);
}

/** Typed arrays and one text instead of objects, by code that is generated for the shape of the payload. */
export const compiled: Remedy = {
  name: 'compiled',
  title: 'send typed arrays and one text, by code made for this shape',
  forms: { joined: 'one text', listed: 'texts apart', viewed: 'read by column', base64: 'as base64' },
  plans,
  compile: (plan) => void compileOnce(plan),
  apply(value, plan) {
    const message = compileOnce(plan).toMessage(value);
    if ('asIs' in message) throw new RemedyRefused('the codec does not fit this value');
    return message;
  },
  warmUp(value, plan) {
    const message = compileOnce(plan).toMessage(value);
    if (!('asIs' in message)) receive(message, plan);
  },
  restore: (message, plan) => (plan.isView ? readWhole(receive(message, plan)) : receive(message, plan)),
  receive,
  transfer: (message, plan) => compileOnce(plan).transferList?.(message) ?? [],
  codec(plan, target = TO_WORKER): Codec {
    const isMoved = plan.form !== 'base64' && takesTransferList(target);
    const { hasView: _, ...text } = compiledCodec(plan as CompiledPlan, isMoved);
    const transferList = isMoved ? 'transferList(message)' : null;
    const passed = { message: 'toMessage(payload)', transferList, payload: 'fromMessage(message)' };
    return { ...text, calls: callCode(passed, target), assumes: [], madeOf: plan as CompiledPlan };
  },
};
