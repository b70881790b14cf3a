/** How a program posts a message, and where its other side gets it: by a channel, or with a library. */
import type { FileContent, LibraryName } from '../../model/names.ts';
import type { CallTarget } from '../../model/rules/remedy.ts';
import type { TriedCalls } from '../../model/rules/tried.ts';
import { type CallRow, CHANNEL_CALLS } from './channel-calls.ts';
import { indent, literal } from './javascript.ts';

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
