/** How a program posts a message, and where its other side gets it: a row for each channel and each library. */
import type { Channel, FileContent, LibraryName } from '../../model/names.ts';
import type { CallTarget } from '../../model/rules/remedy.ts';
import type { TriedCalls } from '../../model/rules/tried.ts';
import { readLines, writeLines } from './file-call.ts';
import { indent, literal } from './javascript.ts';

interface CallRow {
  post(message: string, content: FileContent): string;
  /** Null where there is no transfer list. */
  postWith: ((message: string, transferList: string) => string) | null;
  /** Lines around the code that receives a message called `name`; none where any code of the program may. */
  receive: ((name: string) => [before: string, after: string]) | null;
}

const SEND: CallRow = {
  post: (message) => `child.send(${message}); // in the child: process.send`,
  postWith: null,
  receive: null,
};

const TO_EXTENSION: CallRow = {
  post: (message) => `port.postMessage(${message}); // or chrome.runtime.sendMessage`,
  postWith: null,
  receive: null,
};

const CHANNEL_CALLS: Record<Channel, CallRow> = {
  worker: {
    post: (message) => `worker.postMessage(${message});`,
    postWith: (message, list) => `worker.postMessage(${message}, ${list});`,
    receive: null,
  },
  'message-port': {
    post: (message) => `port.postMessage(${message});`,
    postWith: (message, list) => `port.postMessage(${message}, ${list});`,
    receive: null,
  },
  'structured-clone': {
    post: (message) => `const copied = structuredClone(${message});`,
    postWith: (message, list) => `const copied = structuredClone(${message}, { transfer: ${list} });`,
    receive: null,
  },
  window: {
    post: (message) => `frame.contentWindow.postMessage(${message}, location.origin);`,
    postWith: (message, list) => `frame.contentWindow.postMessage(${message}, location.origin, ${list});`,
    receive: null,
  },
  broadcast: { post: (message) => `channel.postMessage(${message});`, postWith: null, receive: null },
  'node-worker': {
    post: (message) => `worker.postMessage(${message});`,
    postWith: (message, list) => `worker.postMessage(${message}, ${list});`,
    receive: null,
  },
  'ipc-json': SEND,
  'ipc-advanced': SEND,
  'electron-ipc': {
    post: (message) => `window.webContents.send('message', ${message});`,
    postWith: null,
    receive: null,
  },
  'electron-port': { post: (message) => `port.postMessage(${message});`, postWith: null, receive: null },
  extension: TO_EXTENSION,
  'extension-clone': TO_EXTENSION,
  storage: {
    post: (message, content) => writeLines(message, content),
    postWith: null,
    receive: null,
  },
  indexeddb: {
    post: (message) => `store.put(${message}, key); // of a transaction for 'readwrite'`,
    postWith: null,
    receive: null,
  },
  rpc: {
    post: (message) => `await env.SERVICE.run(${message});`,
    postWith: null,
    receive: (name) => [`export class Service extends WorkerEntrypoint { run(${name}) {`, '} }'],
  },
};

/** As each library documents it; test/remedies/libraries.test.ts runs these calls with the libraries themselves. */
const LIBRARY_CALLS: Record<LibraryName, CallRow> = {
  piscina: {
    post: (message) => `await pool.run(${message});`,
    postWith: (message, list) => `await pool.run(${message}, { transferList: ${list} });`,
    receive: (name) => [`export default function run(${name}) {`, '}'],
  },
  tinypool: {
    post: (message) => `await pool.run(${message});`,
    postWith: (message, list) => `await pool.run(${message}, { transferList: ${list} });`,
    receive: (name) => [`export default function run(${name}) {`, '}'],
  },
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
  via === null ? CHANNEL_CALLS[channel] : LIBRARY_CALLS[via];

/** Whether what is posted there can have a transfer list. */
export const takesTransferList = (target: CallTarget): boolean =>
  CHANNEL_CALLS[target.channel].postWith !== null && callRow(target).postWith !== null;

/** Expressions of `payload`. */
interface SentCode {
  message: string;
  /** May also refer to `message`, the value of the first; null without one. */
  transferList: string | null;
  content?: FileContent;
}

/** The lines of the sender that post `payload`. */
export function postLines(
  { message, transferList, content = 'serialized' }: SentCode,
  target: CallTarget,
): string[] {
  const { post, postWith } = callRow(target);
  if (transferList === null || postWith === null || !takesTransferList(target))
    return [post(message, content)];
  if (!/\bmessage\b/.test(transferList)) return [postWith(message, transferList)];
  return [`const message = ${message};`, postWith('message', transferList)];
}

/** The lines of the other side that turn what it receives into `payload`; `restored` is an expression of `message`. */
export function receiveLines(
  restored: string,
  target: CallTarget,
  content: FileContent = 'serialized',
): string[] {
  const channel = target.via === null ? target.channel : null;
  const made = (message: string) => restored.replace(/\bmessage\b/, message);
  if (channel === 'structured-clone') return [`const copy = ${made('copied')};`];
  if (channel === 'indexeddb')
    return [`const payload = ${made('request.result')}; // when request = store.get(key) has succeeded`];
  if (channel === 'storage') {
    const [before, message] = readLines(content);
    return [...before, `const payload = ${made(message)};`];
  }
  const { receive } = callRow(target);
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
  { imports, message, transferList, payload, content, comment }: TriedCalls,
  target: CallTarget,
) {
  const { from, sender, receiver } = imports;
  const told = comment === undefined ? '' : `// ${comment}\n`;
  return {
    sender: `${imported(sender, from)}${told}${postLines({ message, transferList, ...(content && { content }) }, target).join('\n')}`,
    receiver: `${imported(receiver, from)}${receiveLines(payload, target, content).join('\n')}`,
  };
}
