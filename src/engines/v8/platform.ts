import { type Rule, ruleTable } from '../../model/rules/rule.ts';
import { PROXY_OF_ARRAY } from '../../model/vocabulary/shape.ts';
import { ANYWHERE, AT_ROOT, CLONED_ON, IN_PROCESS, POSTED } from '../standard/common.ts';

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
  'v8/exception-surrogate': {
    when: { kind: 'error', all: ['lone-surrogate'], tag: ['DOMException'] },
    scope: { runtimes: { chromium: '*' }, channels: CLONED_ON },
    title: 'lone surrogate in a DOMException',
    why: 'Its name or message has half of a character of two units: the post does not throw, and null arrives in place of the whole message; structuredClone throws.',
    fix: 'Send message.toWellFormed(), or name and message as a plain object.',
    remedies: ['plain'],
    source: 'Blink V8ScriptValueSerializer, WriteUTF8String; seen on Chromium 143',
  },
  'v8/undefined-message': {
    ...AT_ROOT.note,
    loses: 'value',
    when: { kind: 'undefined' },
    title: 'undefined as the message',
    why: 'In the data of a MessageEvent it arrives as null; on("message") of workers and ports of Node gives undefined.',
    fix: 'Send null, or an object.',
    source: 'seen on Node 20-26 and Deno 2.0-2.9',
    scope: { runtimes: { deno: '*' }, channels: POSTED },
    also: [
      { scope: { runtimes: { node: '*' }, channels: ['broadcast'] } },
      // The listener of clone-prof loses nothing.
      { loses: [], scope: { runtimes: { node: '*' }, channels: ['message-port'] } },
    ],
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

/** Deno writes and reads the JSON of messages itself. */
const AS_TEXT = {
  scope: { runtimes: { deno: '*' }, channels: ['ipc-json'] },
  source: 'denoland/deno ext/node/ops/ipc.rs; seen on Deno 2.9.6',
} as const satisfies Partial<Rule>;

export const asText = ruleTable(AS_TEXT, {
  'v8/json-null-prototype': {
    ...ANYWHERE.note,
    when: { kind: ['object', 'arguments'], none: ['null-prototype', 'to-json'] },
    loses: 'class',
    scope: { runtimes: { deno: '<2.7.0' }, channels: ['ipc-json'] },
    title: 'object without a prototype on arrival',
    why: 'Up to Deno 2.6 objects of a JSON message arrive with null as their prototype.',
    fix: 'Use Object.hasOwn instead of methods of the object.',
    source: 'seen on Deno 2.6.0 (null) and 2.9.6 (Object.prototype)',
  },
  'v8/json-changed': {
    ...ANYWHERE.losesValue,
    when: [
      { kind: 'number', all: ['int64'] },
      { kind: 'string', all: ['lone-surrogate'] },
      { kind: 'proxy', tag: [PROXY_OF_ARRAY] },
    ],
    title: 'value that Deno changes over JSON',
    why: 'Integers from 2^53 to 2^63 arrive as BigInts. The message is UTF-8: U+FFFD arrives in place of half of a surrogate pair, also in keys. A Proxy of an array arrives as an object with a key for each element.',
    fix: 'Send such numbers as text, text.toWellFormed(), and a copy of the array: [...list].',
  },
  'v8/json-symbol': {
    level: 'rejected',
    at: 'nested',
    when: { kind: 'symbol' },
    title: 'symbol over JSON',
    why: 'Node and Bun leave a symbol out of a message. Deno refuses the message: no further one arrives.',
    fix: 'Send a string instead.',
  },
});
