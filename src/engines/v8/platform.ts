import { CHANNELS } from '../../model/names.ts';
import { type Rule, ruleTable } from '../../model/rules/rule.ts';
import { ANYWHERE, AT_ROOT, CLONED_ON, IN_PROCESS, POSTED, SHARED_REFUSED } from '../standard/common.ts';
import {
  ARRIVES_EMPTY,
  AS_PARTS,
  EMPTIED,
  markedObject,
  unmarkedObject,
  urlObject,
} from '../standard/platform.ts';

const UNDEFINED = {
  ...AT_ROOT.note,
  when: { kind: 'undefined' },
  title: 'undefined as the message',
  fix: 'Send null, or an object.',
} as const satisfies Partial<Rule>;

export const platform = ruleTable(ANYWHERE.rejected, {
  'v8/file-handle': {
    when: { kind: 'platform', tag: ['FileHandle'] },
    scope: {
      runtimes: { node: '*' },
      channels: [...IN_PROCESS, 'ipc-advanced', 'storage'],
      transferring: false,
    },
    title: 'open file that must be transferred',
    why: 'A FileHandle cannot be copied: to a thread it is only transferred, and to another process or into a file it cannot be sent.',
    fix: 'List it in the transfer list, or send the path of the file.',
    source: 'Node lib/internal/fs/promises.js kTransferable; seen on Node 20.20, 22.23, 24.21 and 26.10',
  },
  'v8/url-refused': {
    when: urlObject,
    scope: { runtimes: { node: '>=21.0.0' }, channels: IN_PROCESS },
    title: 'URL that cannot be cloned',
    why: 'Node refuses a URL and URLSearchParams: posting one throws a DataCloneError.',
    ...AS_PARTS,
    source: 'seen on Node 20.20 (arrives as {}), 21.0, 22.0, 24.21 and 26.10 (refused)',
  },
  'v8/platform-refused': {
    when: markedObject,
    scope: { runtimes: { node: '>=22.12.0 <23.0.0 || >=23.3.0' }, channels: IN_PROCESS },
    title: 'web object that cannot be cloned',
    why: 'Node marks Headers, Request, Response and the like as uncloneable: posting one throws a DataCloneError.',
    ...AS_PARTS,
    source:
      'nodejs/node#55234; seen on Node 22.11, 23.2 (arrives as {}), 22.12, 23.3, 24.21 and 26.10 (refused)',
  },
  'v8/url-emptied-early': {
    ...ARRIVES_EMPTY,
    when: urlObject,
    scope: { runtimes: { node: '<21.0.0' } },
    why: `${EMPTIED} From Node 21 on it is refused instead.`,
    source: 'seen on Node 20.0 and 20.20',
  },
  'v8/platform-emptied-early': {
    ...ARRIVES_EMPTY,
    when: markedObject,
    scope: { runtimes: { node: '<22.12.0 || >=23.0.0 <23.3.0' } },
    why: `${EMPTIED} From Node 22.12 and 23.3 on it is refused instead.`,
    source: 'nodejs/node#55234; seen on Node 20.20, 22.11 and 23.2',
  },
  'v8/platform-emptied': {
    ...ANYWHERE.losesClass,
    when: unmarkedObject,
    scope: { runtimes: { node: '*', deno: '*' } },
    title: 'web object that arrives empty',
    why: EMPTIED,
    fix: 'Send the plain data that the receiver needs.',
    remedies: ['plain'],
    source: 'seen on Node 20-26 and Deno 2.0-2.9',
  },
  'v8/dom-exception-as-error': {
    ...ANYWHERE.losesClass,
    when: { kind: 'error', tag: ['DOMException'] },
    scope: { runtimes: { deno: '<2.7.0' } },
    title: 'DOMException that arrives as an Error',
    why: 'Up to Deno 2.6 it arrives as an Error, without its name and code.',
    fix: 'Send name and message as a plain object, or use Deno 2.7.',
    source: 'seen on Deno 2.1.14 to 2.6.8 (Error) and 2.7.14 (DOMException)',
  },
  'v8/file-as-blob': {
    ...ANYWHERE.lossy,
    when: { kind: 'platform', tag: ['File'] },
    loses: ['class', 'value'],
    scope: { runtimes: { node: '<23.0.0' }, channels: IN_PROCESS },
    title: 'File that arrives as a Blob',
    why: 'Up to Node 22 a File arrives as a Blob: its name and lastModified are lost.',
    fix: 'Send the name beside it, or use Node 24.',
    source: 'seen on Node 20.20 and 22.23 (Blob), 23.0, 24.21 and 26.10 (File)',
  },
  'v8/dom-exception-emptied': {
    ...ANYWHERE.losesValue,
    when: { kind: 'object', all: ['class-instance', 'non-enumerable'], tag: ['DOMException'] },
    scope: { runtimes: { node: '*', deno: '*', electron: '*' }, channels: CHANNELS },
    title: 'DOMException that arrives empty',
    why: 'Where a DOMException is not a native error it arrives as an empty object, without name, message and stack.',
    fix: 'Send name and message as a plain object, or use Node 24 or Deno 2.7.',
    source:
      'seen on Node 20.20, 22.12 and 24.0 (empty), 22.20, 24.21 and 26.10 (whole); Deno 2.0 (empty), 2.7 (whole); Electron 33.2 (empty)',
  },
  'v8/exception-surrogate': {
    when: { kind: 'error', all: ['lone-surrogate'], tag: ['DOMException'] },
    scope: { runtimes: { chromium: '*' }, channels: CLONED_ON },
    title: 'lone surrogate in a DOMException',
    why: 'Its name or message has half of a character of two units: the post does not throw, and null arrives in place of the whole message; structuredClone throws.',
    fix: 'Send message.toWellFormed(), or name and message as a plain object.',
    remedies: ['plain'],
    source: 'Blink V8ScriptValueSerializer, WriteUTF8String; seen on Chromium 143',
  },
  'v8/shared-over-broadcast': {
    ...SHARED_REFUSED,
    scope: { runtimes: { chromium: '*' }, channels: ['broadcast'] },
    title: 'shared memory in a broadcast',
    why: 'Chromium sends a broadcast through its browser process: the post does not throw, and each listener gets an event messageerror in place of the message.',
    fix: 'Post it to each worker, or send a copy: new Uint8Array(shared).slice().',
    source: 'Chromium third_party/blink/renderer/modules/broadcastchannel; seen on Chromium 156',
  },
  'v8/undefined-message': {
    ...UNDEFINED,
    loses: 'value',
    scope: { runtimes: { deno: '*' }, channels: POSTED },
    why: 'In the data of a MessageEvent it arrives as null.',
    source: 'seen on Deno 2.0-2.9',
  },
  'v8/undefined-event': {
    ...UNDEFINED,
    loses: 'value',
    scope: { runtimes: { node: '*' }, channels: ['broadcast'] },
    why: 'In the data of a MessageEvent it arrives as null; on("message") of workers and ports gives undefined.',
    source: 'seen on Node 20-26',
  },
  // The listener of clone-prof loses nothing.
  'v8/undefined-on-port': {
    ...UNDEFINED,
    scope: { runtimes: { node: '*' }, channels: ['message-port'] },
    why: 'A listener of onmessage or addEventListener gets null in its place; on("message") gives undefined.',
    source: 'seen on Node 20.20 and 26.10',
  },
  'v8/deno-transfer-envelope': {
    ...AT_ROOT.note,
    when: {},
    scope: {
      runtimes: { deno: '*' },
      channels: ['worker', 'node-worker', 'message-port'],
      transferring: true,
    },
    title: 'message with a transfer list',
    why: 'With a transfer list Deno wraps the message in its own envelope, which is slower than a plain post.',
    fix: 'Post small messages without a transfer list.',
    source: 'denoland/deno#32657, ext/web/13_message_port.js',
  },
});
