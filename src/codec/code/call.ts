/** Code that posts a message over a channel or with a library, and code that receives it on the other side. */

import type { ChannelRow } from '../../channels/common/row.ts';
import { channelRow, type LibraryName } from '../../model/names.ts';
import type { CallCode, CallTarget, Codec, TriedCalls } from '../../model/rules/remedy.ts';
import { asPasted, blocksOf, calledBy, exportNames, indent, literal } from './javascript.ts';

type CallRow = Pick<ChannelRow, 'call' | 'receiver' | 'taken' | 'contents'> & {
  /** The call with a transfer list, if that is more than a further part of `call`. */
  readonly listed?: string;
};

const POOL: CallRow = {
  call: 'await pool.run(MESSAGE[, { transferList: LIST }]);',
  receiver: ['export default function run(MESSAGE) {', '}'],
};

/** Calls as documented by each library; test/codec/libraries.test.ts runs them with the real libraries. */
const LIBRARY_CALLS: Record<LibraryName, CallRow> = {
  piscina: POOL,
  tinypool: POOL,
  comlink: {
    call: 'await remote.run(MESSAGE);',
    listed: 'await remote.run(Comlink.transfer(MESSAGE, LIST));',
    receiver: ['Comlink.expose({ run(MESSAGE) {', '} });'],
  },
  threads: {
    call: 'await thread.run(MESSAGE);',
    listed: 'await thread.run(Transfer(MESSAGE, LIST));',
    receiver: ['expose({ run(MESSAGE) {', '} });'],
  },
  workerpool: {
    call: "await pool.exec('run', [MESSAGE]);",
    listed: "await pool.exec('run', [MESSAGE], { transfer: LIST });",
    receiver: ['workerpool.worker({ run(MESSAGE) {', '} });'],
  },
  synckit: { call: 'run(MESSAGE);', receiver: ['runAsWorker((MESSAGE) => {', '});'] },
  'jest-worker': { call: 'await worker.run(MESSAGE);', receiver: ['export function run(MESSAGE) {', '}'] },
  'promise-worker': {
    call: 'await promiseWorker.postMessage(MESSAGE);',
    receiver: ['registerPromiseWorker((MESSAGE) => {', '});'],
  },
  poolifier: {
    call: 'await pool.execute(MESSAGE[, undefined, undefined, LIST]);',
    receiver: ['export default new ThreadWorker((MESSAGE) => {', '});'],
  },
};

export const TO_WORKER: CallTarget = { channel: 'worker', via: null };

const callRow = ({ channel, via }: CallTarget): CallRow =>
  via === null ? channelRow(channel) : LIBRARY_CALLS[via];

export function takesTransferList(target: CallTarget): boolean {
  const { call, listed = call } = callRow(target);
  return channelRow(target.channel).moves === true && listed.includes('LIST');
}

const filled = (text: string, message: string, list: string | null = null): string =>
  text
    .replace(/\[(.*LIST.*)\]/, (_, part: string) => (list === null ? '' : part))
    .replace(/MESSAGE|LIST/g, (word) => (word === 'LIST' ? (list ?? '') : message));

/** The lines that post `payload`, and the lines of the other side that restore `payload` from the received message. */
export const callCode = (code: CallCode, target: CallTarget) => ({
  sender: postCode(code, target),
  receiver: receiveCode(code, target),
});

function postCode(
  { message, transferList: list = null, content = 'serialized' }: CallCode,
  target: CallTarget,
): string {
  const { call, listed = call, contents } = callRow(target);
  const written = contents?.[content]?.call ?? call;
  if (list === null || !takesTransferList(target)) return filled(written, message);
  if (!/\bmessage\b/.test(list)) return filled(listed, message, list);
  return `const message = ${message};\n${filled(listed, 'message', list)}`;
}

function receiveCode({ payload, content = 'serialized' }: CallCode, target: CallTarget): string {
  const { receiver, contents, taken } = callRow(target);
  const ask = contents?.[content]?.taken ?? taken;
  if (ask !== undefined)
    return ask.replace(/<(.*)>/, (_, message: string) => payload.replace(/\bmessage\b/, message));
  const line = `const payload = ${payload};`;
  if (receiver === undefined) return line;
  const [before, after] = receiver;
  return payload === 'message'
    ? [filled(before, 'payload'), indent('// ...'), after].join('\n')
    : [filled(before, 'message'), indent(line), indent('// ...'), after].join('\n');
}

const PLAIN = /^[\w./@: -]+$/;

const imported = (names: string, from: string) =>
  `import ${names} from ${PLAIN.test(from) ? `'${from}'` : literal(from)};\n\n`;

/** Code to paste: the user's own import, and the call of the channel or library. */
export function codeOfCalls({ imports, comment, ...code }: TriedCalls, target: CallTarget) {
  const { sender, receiver } = callCode(code, target);
  const told = comment === undefined ? '' : `// ${comment}\n`;
  return {
    sender: `${imported(imports.sender, imports.from)}${told}${sender}`,
    receiver: `${imported(imports.receiver, imports.from)}${receiver}`,
  };
}

export const namesFor = (codec: Codec, call: string): string[] =>
  exportNames(codec.source).filter((name) => call.includes(`${name}(`));

/** Code to paste: the calls of a codec, behind the functions that they need. */
export function pastedCode(codec: Codec) {
  const blocks = blocksOf(codec.source);
  const pasted = (call: string) =>
    [asPasted(calledBy(namesFor(codec, call).join(), blocks)), call]
      .filter((text) => text !== '')
      .join('\n\n');
  return { sender: pasted(codec.calls.sender), receiver: pasted(codec.calls.receiver) };
}
