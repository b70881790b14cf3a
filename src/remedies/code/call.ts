/** Code that posts a message over a channel or with a library, and code that receives it on the other side. */

import { type Channel, channelRow, type FileContent, type LibraryName } from '../../model/names.ts';
import type { CallTarget } from '../../model/rules/remedy.ts';
import type { TriedCalls } from '../../model/rules/tried.ts';
import { indent, literal } from './javascript.ts';

/** The code for one channel or library. */
interface CallRow {
  post(message: string, content: FileContent): string;
  /** Null if the call does not accept a transfer list. */
  postWith: ((message: string, transferList: string) => string) | null;
  /** Lines around the code that receives a message called `name`; null if any code of the program may receive it. */
  receive: ((name: string) => [before: string, after: string]) | null;
  /** Lines for receivers that request the message; `restored` turns an expression of the message into the payload. */
  ask?(restored: (message: string) => string, content: FileContent): string[];
}

/** Pools of Piscina and of its fork. */
const POOL: CallRow = {
  post: (message) => `await pool.run(${message});`,
  postWith: (message, list) => `await pool.run(${message}, { transferList: ${list} });`,
  receive: (name) => [`export default function run(${name}) {`, '}'],
};

/** Calls as documented by each library; test/remedies/libraries.test.ts runs them with the real libraries. */
const LIBRARY_CALLS: Record<LibraryName, CallRow> = {
  piscina: POOL,
  tinypool: POOL,
  comlink: {
    post: (message) => `await remote.run(${message});`,
    postWith: (message, list) => `await remote.run(Comlink.transfer(${message}, ${list}));`,
    receive: (name) => [`Comlink.expose({ run(${name}) {`, '} });'],
  },
  threads: {
    post: (message) => `await thread.run(${message});`,
    postWith: (message, list) => `await thread.run(Transfer(${message}, ${list}));`,
    receive: (name) => [`expose({ run(${name}) {`, '} });'],
  },
  workerpool: {
    post: (message) => `await pool.exec('run', [${message}]);`,
    postWith: (message, list) => `await pool.exec('run', [${message}], { transfer: ${list} });`,
    receive: (name) => [`workerpool.worker({ run(${name}) {`, '} });'],
  },
  synckit: {
    post: (message) => `run(${message});`,
    postWith: null,
    receive: (name) => [`runAsWorker((${name}) => {`, '});'],
  },
  'jest-worker': {
    post: (message) => `await worker.run(${message});`,
    postWith: null,
    receive: (name) => [`export function run(${name}) {`, '}'],
  },
  'promise-worker': {
    post: (message) => `await promiseWorker.postMessage(${message});`,
    postWith: null,
    receive: (name) => [`registerPromiseWorker((${name}) => {`, '});'],
  },
  poolifier: {
    post: (message) => `await pool.execute(${message});`,
    postWith: (message, list) => `await pool.execute(${message}, undefined, undefined, ${list});`,
    receive: (name) => [`export default new ThreadWorker((${name}) => {`, '});'],
  },
};

export const TO_WORKER: CallTarget = { channel: 'worker', via: null };

const callRow = ({ channel, via }: CallTarget): CallRow =>
  via === null ? channelCall(channel) : LIBRARY_CALLS[via];

/** True if posts to this target can have a transfer list. */
export const takesTransferList = (target: CallTarget): boolean =>
  channelRow(target.channel).moves === true && callRow(target).postWith !== null;

/** Expressions: the sent message, made of `payload`, and the restored payload, made of `message`. */
interface PassedCode {
  message: string;
  /** May also refer to `message`, the value of the first expression; null for posts without a transfer list. */
  transferList?: string | null;
  restored: string;
  content?: FileContent | undefined;
}

/** The lines that post `payload`, and the lines of the other side that restore `payload` from the received message. */
export function callCode(
  { message, transferList = null, restored, content = 'serialized' }: PassedCode,
  target: CallTarget,
): { sender: string; receiver: string } {
  return {
    sender: postLines(message, transferList, content, target).join('\n'),
    receiver: receiveLines(restored, content, target).join('\n'),
  };
}

function postLines(message: string, list: string | null, content: FileContent, target: CallTarget): string[] {
  const { post, postWith } = callRow(target);
  if (list === null || postWith === null || !takesTransferList(target)) return [post(message, content)];
  if (!/\bmessage\b/.test(list)) return [postWith(message, list)];
  return [`const message = ${message};`, postWith('message', list)];
}

function receiveLines(restored: string, content: FileContent, target: CallTarget): string[] {
  const { receive, ask } = callRow(target);
  if (ask) return ask((message) => restored.replace(/\bmessage\b/, message), content);
  const line = `const payload = ${restored};`;
  if (receive === null) return [line];
  const isPayload = restored === 'message';
  const [before, after] = receive(isPayload ? 'payload' : 'message');
  return [before, ...(isPayload ? [] : [indent(line)]), indent('// ...'), after];
}

const PLAIN = /^[\w./@: -]+$/;

const imported = (names: string, from: string) =>
  `import ${names} from ${PLAIN.test(from) ? `'${from}'` : literal(from)};\n\n`;

/** Code to paste: the user's own import, and the call of the channel or library. */
export function codeOfCalls(
  { imports: { from, ...imports }, message, transferList, payload, content, comment }: TriedCalls,
  target: CallTarget,
) {
  const { sender, receiver } = callCode({ message, transferList, restored: payload, content }, target);
  const told = comment === undefined ? '' : `// ${comment}\n`;
  return {
    sender: `${imported(imports.sender, from)}${told}${sender}`,
    receiver: `${imported(imports.receiver, from)}${receiver}`,
  };
}

/** Code that writes a file which is not only serialized, like guest/platform/process/platforms.ts. */
const WRITES: Partial<Record<FileContent, (message: string) => string>> = {
  json: (message) => `const message = ${message};
writeFileSync(file, typeof message === 'string' ? message : serialize(message)); // of node:fs and node:v8`,
  text: (message) => `writeFileSync(file, ${message}); // of node:fs`,
  bytes: (message) => `writeFileSync(file, ${message}); // of node:fs`,
};

/** The lines before, and the expression of the message. Content is JSON text only if it begins with a JSON bracket. */
const READS: Record<FileContent, [before: string[], message: string]> = {
  serialized: [[], 'deserialize(readFileSync(file))'],
  json: [
    [
      'const stored = readFileSync(file);',
      'const isJson = stored[0] === 0x7b || stored[0] === 0x5b; // { and [',
      'const message = isJson ? stored.toString() : deserialize(stored);',
    ],
    'message',
  ],
  text: [[], "readFileSync(file, 'utf8')"],
  bytes: [[], 'readFileSync(file)'],
};

/** Receivers that ask for the message, of channels that end in the thread that posts. */
const ASKS: Partial<Record<Channel, CallRow['ask']>> = {
  'structured-clone': (restored) => [`const copy = ${restored('copied')};`],
  storage: (restored, content) => {
    const [before, message] = READS[content];
    return [...before, `const payload = ${restored(message)};`];
  },
  indexeddb: (restored) => [
    `const payload = ${restored('request.result')}; // when request = store.get(key) has succeeded`,
  ],
};

/** The code of a row. @param list null: without the part for it */
const filled = (text: string, message: string, list: string | null = null): string =>
  text
    .replace(/\[(.*LIST.*)\]/, (_, part: string) => (list === null ? '' : part))
    .replace(/MESSAGE|LIST/g, (word) => (word === 'LIST' ? (list ?? '') : message));

function channelCall(channel: Channel): CallRow {
  const { call, receiver, moves } = channelRow(channel);
  const [before, after] = receiver ?? [];
  const ask = ASKS[channel];
  return {
    post: (message, content) =>
      (channel === 'storage' && WRITES[content]?.(message)) || filled(call, message),
    postWith: moves ? (message, list) => filled(call, message, list) : null,
    receive: before === undefined ? null : (name) => [filled(before, name), after ?? ''],
    ...(ask && { ask }),
  };
}
