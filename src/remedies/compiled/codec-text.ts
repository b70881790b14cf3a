import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import { fnv1aHex } from '../../model/fnv1a.ts';
import { BYTES_AND_TEXT } from '../code/base64-code.ts';
import { helperCode } from './helpers/index.ts';
import { SchemaCode } from './schema-code.ts';
import { type ViewText, viewText } from './views.ts';
import type { TextForm } from './way.ts';
import { waysOf } from './ways/index.ts';

/** The module of a compiled codec, with types in comments (code/dialect.ts). */
export interface CompiledText {
  /** Interfaces of the payload, in TypeScript. */
  types: string[];
  /** TypeScript, in terms of `Payload`. */
  messageType: string;
  payloadType: string;
  source: string;
  /** `viewMessage` is there. */
  hasView: boolean;
}

const STATE = `// The message that is written, up to the positions i and d.
let ints = new Int32Array(256);
let doubles = new Float64Array(256);
let text = '';
let rest/*: unknown[] */ = [];
let [i, d] = [0, 0];
let isWriting = false;
/** Where something did not fit. */
const missed = new Set/*<string> */();`;

/** Lines for texts and lists of keys that repeat. */
interface State {
  write: string;
  clear: string;
  /** Beside what a message has. */
  from: string;
  read: string;
  forget: string;
  /** Statements after all is written, and before all is read. */
  last: string[];
  first: string;
}

const WORDS: State = {
  write: '\nconst words = new Map/*<string, number> */();',
  clear: '\n  words.clear();',
  from: ' & { words?: string[] }',
  read: '',
  forget: '',
  last: ['writeWords();'],
  first: '\n    readWords();',
};
const KEYS: State = {
  write: '\nconst keyLists = new Map/*<string, { keys: string[]; index: number }> */();\nlet lists = 0;',
  clear: '\n  keyLists.clear();\n  lists = 0;',
  from: '',
  read: '\nlet keyListsIn/*: string[][] */ = [];',
  forget: '\n    keyListsIn = [];',
  last: [],
  first: '',
};

function joinState(helpers: ReadonlySet<string>): State {
  const hasKeys = helpers.has('writeTable');
  const parts = [...(helpers.has('writeWord') ? [WORDS] : []), ...(hasKeys ? [KEYS] : [])];
  const all = (name: Exclude<keyof State, 'last'>) => parts.map((part) => part[name]).join('');
  return {
    ...{ write: all('write'), clear: all('clear'), read: all('read'), forget: all('forget') },
    ...{ from: all('from'), last: parts.flatMap(({ last }) => last), first: all('first') },
  };
}

const toMessage = (
  write: string,
  state: State,
  { sent }: Carrier,
) => `export function toMessage(payload/*: Payload */, onMiss/*?: (path: string) => void */)/*: Message */ {
  if (isWriting) return { asIs: payload };
  isWriting = true;
  try {
    ${[write, ...state.last].join('\n    ')}
    if (i > ints.length || d > doubles.length) {
      ints = new Int32Array(2 * i);
      doubles = new Float64Array(2 * d);
      begin();
      ${[write, ...state.last].join('\n      ')}
    }
    return ${sent};
  } catch {
    missed.add('$'); // too deep, or a getter that throws: postMessage tells
    return { asIs: payload };
  } finally {
    const paths = [...missed];
    begin();
    isWriting = false;
    for (const path of paths) onMiss?.(path);
  }
}

function begin()/*: void */ {
  [i, d, text, rest] = [0, 0, '', []];
  missed.clear();${state.clear}
}`;

/** `fromMessage`, or `viewMessage`. */
interface Reader {
  name: string;
  type: string;
  read: string;
  /** Code for a payload that was sent as it is. */
  asIs: string;
}

const reader = (
  { name, type, read, asIs }: Reader,
  state: State,
  { received }: Carrier,
) => `export function ${name}(message/*: Message */)/*: ${type} */ {
  if (Object(message) === message && 'asIs' in message) return ${asIs};
  const { version }/*: { version?: string } */ = Object(message);
  if (version !== VERSION)
    throw new TypeError(\`codec \${VERSION} cannot read a message of codec \${version}\`);${received.before}
  [ip, dp, tp, rp] = [0, 0, 0, 0];
  try {${received.inside}
    if (typeof from.text !== 'string') return damaged();${state.first}
    const payload/*: unknown */ = ${read};
    const isWhole = ip === from.ints.length && dp === from.doubles.length && tp === from.text.length;
    return isWhole && rp === from.rest.length ? (payload/*as ${type} */) : damaged();
  } catch {
    return damaged();
  } finally {
    from = NOTHING;${state.forget}
  }
}`;

const readState = (state: State, carrier: Carrier) => `// The message that is read, from these positions on.
const NOTHING = { version: VERSION, ints: new Int32Array(0), doubles: new Float64Array(0), text: '', rest: [] };
let from/*: ${carrier === CARRIERS.cloned ? 'Exclude<Message, { asIs: Payload }>' : READ_TYPE}${state.from} */ = NOTHING;
let [ip, dp, tp, rp] = [0, 0, 0, 0];${state.read}`;

/** Changes with the form of the messages: not with how many texts a sample has. */
const formatVersion = ({ types, records }: PayloadSchema, form: TextForm, carrier: CarrierName): string => {
  const ways = types.map((type) => ({ ...type, text: waysOf(type, form).map(({ name }) => name) }));
  return fnv1aHex(JSON.stringify([ways, records, ...(carrier === 'cloned' ? [] : [carrier])]));
};

/** @param withView also `viewMessage`, where the payload has a list of records with the same keys */
export function compiledCodec(
  schema: PayloadSchema,
  name: string,
  form: TextForm,
  withView = false,
  carriedBy: CarrierName = 'cloned',
): CompiledText {
  const carrier = CARRIERS[carriedBy];
  const code = new SchemaCode(schema, name, form);
  const view = withView ? viewText(schema, code) : null;
  code.finish();
  const state = joinState(code.helpers);
  const { read } = code.root;
  const parts = [
    `const VERSION = '${formatVersion(schema, form, carriedBy)}';`,
    toMessage(code.root.write, state, carrier),
    reader({ name: 'fromMessage', type: 'Payload', read, asIs: 'message.asIs' }, state, carrier),
    ...(view ? [reader(viewReader(view, code.types.text(0)), state, carrier)] : []),
    readState(state, carrier),
    STATE + state.write,
    ...(view?.functions ?? []),
    ...code.functions,
    helperCode([...code.helpers, 'damaged']),
    ...carrier.code,
  ];
  return {
    types: [...code.types.declarations(), ...(view?.types ?? [])],
    payloadType: code.types.text(0),
    messageType: carrier.messageType,
    source: parts.join('\n\n'),
    hasView: view !== null,
  };
}

const viewReader = ({ type, read, ofPayload }: ViewText, payloadType: string): Reader => ({
  name: 'viewMessage',
  type,
  read,
  asIs: ofPayload.replace('(payload)', `(message.asIs/*as unknown as ${payloadType} */)`),
});

/** What carries the numbers of a message. */
interface Carrier {
  /** Of a message, in TypeScript. */
  messageType: string;
  /** Expression of the message that is written. */
  sent: string;
  /** Statements that make what is read, before and after damage is looked for. */
  received: { before: string; inside: string };
  code: string[];
}

/** Of what is read. */
const READ_TYPE =
  '{ version: string; ints: Int32Array; doubles: Float64Array; text: string; rest: unknown[] }';

const CLONED: Carrier = {
  messageType: READ_TYPE,
  sent: '{ version: VERSION, ints: ints.slice(0, i), doubles: doubles.slice(0, d), text, rest }',
  received: { before: '\n  from = message/*as typeof NOTHING */;', inside: '' },
  code: [],
};

/** JSON has no notation for typed arrays: their bytes are base64 text, which takes less time than numbers in digits. */
const AS_TEXT: Carrier = {
  messageType: '{ version: string; ints: string; doubles: string; text: string; rest: unknown[] }',
  sent: `{
      version: VERSION,
      ints: numbersText(ints, i),
      doubles: numbersText(doubles, d),
      text,
      rest: rest.map(bytesToText),
    }`,
  received: { before: '', inside: '\n    from = fromTexts(message/*as Texts */);' },
  code: [
    BYTES_AND_TEXT,
    `const numbersText = (numbers/*: Int32Array | Float64Array */, length/*: number */)/*: string */ =>
  base64Of(new Uint8Array(numbers.buffer, 0, length * numbers.BYTES_PER_ELEMENT));
/*type Texts = Exclude<Message, { asIs: Payload }>; */
const fromTexts = (message/*: Texts */)/*: ${READ_TYPE} */ => ({
  ...message,
  ints: new Int32Array(bytesOf(message.ints).buffer),
  doubles: new Float64Array(bytesOf(message.doubles).buffer),
  rest: message.rest.map(textToBytes),
});`,
  ],
};

const CARRIERS = { cloned: CLONED, base64: AS_TEXT } as const;
type CarrierName = keyof typeof CARRIERS;
