import type { PayloadSchema } from '../../model/rules/payload-schema.ts';
import { fingerprint } from './fingerprint.ts';
import { helperCode } from './helpers/index.ts';
import { SchemaCode } from './schema-code.ts';
import { type TextForm, waysOf } from './ways.ts';

/** The module of a compiled codec, with types in comments (code/dialect.ts). */
export interface CompiledText {
  /** Interfaces of the payload, in TypeScript. */
  types: string[];
  /** TypeScript, in terms of `Payload`. */
  messageType: string;
  payloadType: string;
  source: string;
}

const MESSAGE_TYPE =
  '{ version: string; ints: Int32Array; doubles: Float64Array; text: string; rest: unknown[] }';

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
  read: string;
  forget: string;
}

const WORDS: State = {
  write: '\nconst words = new Map/*<string, number> */();',
  clear: '\n  words.clear();',
  read: '\nlet wordsIn/*: string[] */ = [];',
  forget: '\n    wordsIn = [];',
};
const KEYS: State = {
  write: '\nconst keyLists = new Map/*<string, { keys: string[]; index: number }> */();\nlet lists = 0;',
  clear: '\n  keyLists.clear();\n  lists = 0;',
  read: '\nlet keyListsIn/*: string[][] */ = [];',
  forget: '\n    keyListsIn = [];',
};

function stateOf(helpers: ReadonlySet<string>): State {
  const hasKeys = helpers.has('writeTable');
  const parts = [...(helpers.has('writeWord') ? [WORDS] : []), ...(hasKeys ? [KEYS] : [])];
  const all = (name: keyof State) => parts.map((part) => part[name]).join('');
  return { write: all('write'), clear: all('clear'), read: all('read'), forget: all('forget') };
}

const toMessage = (
  write: string,
  state: State,
) => `export function toMessage(payload/*: Payload */, onMiss/*?: (path: string) => void */)/*: Message */ {
  if (isWriting) return { asIs: payload };
  isWriting = true;
  try {
    ${write}
    if (i > ints.length || d > doubles.length) {
      ints = new Int32Array(2 * i);
      doubles = new Float64Array(2 * d);
      begin();
      ${write}
    }
    return { version: VERSION, ints: ints.slice(0, i), doubles: doubles.slice(0, d), text, rest };
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

const fromMessage = (
  read: string,
  state: State,
) => `export function fromMessage(message/*: Message */)/*: Payload */ {
  if (Object(message) === message && 'asIs' in message) return message.asIs;
  const { version }/*: { version?: string } */ = Object(message);
  if (version !== VERSION)
    throw new TypeError(\`codec \${VERSION} cannot read a message of codec \${version}\`);
  from = message/*as typeof NOTHING */;
  [ip, dp, tp, rp] = [0, 0, 0, 0];
  try {
    const payload = ${read};
    const isWhole = ip === from.ints.length && dp === from.doubles.length && tp === from.text.length;
    return isWhole && rp === from.rest.length ? payload : damaged();
  } catch {
    return damaged();
  } finally {
    from = NOTHING;${state.forget}
  }
}

// The message that is read, from these positions on.
const NOTHING = { version: VERSION, ints: new Int32Array(0), doubles: new Float64Array(0), text: '', rest: [] };
let from/*: Exclude<Message, { asIs: Payload }> */ = NOTHING;
let [ip, dp, tp, rp] = [0, 0, 0, 0];${state.read}`;

/** Changes with the form of the messages: not with how many texts a sample has. */
const versionOf = ({ types, records }: PayloadSchema, form: TextForm): string =>
  fingerprint(JSON.stringify([types.map((type) => ({ ...type, text: waysOf(type, form) })), records]));

export function codecText(schema: PayloadSchema, name: string, form: TextForm): CompiledText {
  const code = new SchemaCode(schema, name, form);
  const state = stateOf(code.helpers);
  const parts = [
    `const VERSION = '${versionOf(schema, form)}';`,
    toMessage(code.root.write, state),
    fromMessage(code.root.read, state),
    STATE + state.write,
    ...code.functions,
    helperCode([...code.helpers, 'damaged']),
  ];
  return {
    types: code.types.declarations(),
    payloadType: code.types.text(0),
    messageType: MESSAGE_TYPE,
    source: parts.join('\n\n'),
  };
}
