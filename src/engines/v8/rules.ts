/** Rules of V8: how it stores and writes values, what it refuses of the platform, and the JSON text of Deno. */
import { electronBridge } from '../../channels/electron/rules/v8.ts';
import { ipc } from '../../channels/ipc/rules/v8.ts';
import { workerd } from '../../channels/rpc/rules/v8.ts';
import { ELECTRON_CHANNELS, type PathName } from '../../model/names.ts';
import { type Rule, ruleTable } from '../../model/rules/rule.ts';
import { PROXY_OF_ARRAY } from '../../model/vocabulary/shape.ts';
import { emptied } from '../standard/platform.ts';
import { ANYWHERE, AT_ROOT, BYTES, OVER, OWN_ERRORS, UNCHANGEABLE, VIEW } from '../standard/row-parts.ts';

/** Its functions are the source of most rules. */
export const V8_SERIALIZER = 'V8 src/objects/value-serializer.cc';
export const WRITE_STRING = `${V8_SERIALIZER} WriteString; tags seen on Node 20-26 and Deno 2.9`;

/** Paths of values that V8 writes part by part. */
export const WRITTEN_WITH_PARTS: readonly PathName[] = [
  'packed-array',
  'holey-array',
  'fast-object',
  'dictionary-object',
  'serializer',
];

const strings = ruleTable(
  { ...ANYWHERE.note, source: WRITE_STRING },
  {
    'v8/two-byte-string': {
      when: { kind: 'string', all: ['two-byte'], none: ['ascii-in-two-byte'], sizeFrom: 1024 },
      title: 'UTF-16 string',
      why: 'One character outside Latin-1 makes the whole string two bytes per code unit, in memory and in the message.',
    },
    'v8/ascii-in-two-byte': {
      ...ANYWHERE.slow,
      when: { kind: 'string', all: ['ascii-in-two-byte'] },
      // Pages of Chromium lack an API that shows it.
      scope: { runtimes: { node: '*', deno: '*', electron: '*' } },
      blocks: ['one-byte-string'],
      title: 'Latin-1 text in UTF-16 storage',
      why: 'A piece of a UTF-16 string stays UTF-16 although every character would fit one byte, so twice the bytes are copied, and again when the receiver sends the text on.',
      fix: "Copy the piece into a string of its own: Buffer.from(text, 'latin1').toString('latin1').",
      remedies: ['own-string'],
    },
    'v8/rope': {
      when: { kind: 'string', all: ['rope'] },
      title: 'concatenation, joined when first sent',
      why: 'A string built with + or a template is joined into one buffer by the first send: an extra copy, once.',
      remedies: ['own-string'],
      source: 'V8 src/objects/string.cc SlowFlatten; value-serializer.cc WriteString',
    },
    'v8/long-string': {
      when: { kind: 'string', sizeFrom: 65_536 },
      scope: { runtimes: { node: '*', deno: '*', electron: '*', chromium: '*' } },
      on: ['one-byte-string', 'two-byte-string', ...WRITTEN_WITH_PARTS],
      title: 'long string, copied twice',
      why: 'V8 never shares a string between threads: it is copied into the message and out again, so it exists three times for a moment.',
      fix: 'Where the text is bytes anyway (a file, a response), send the bytes and transfer their buffer.',
      source: `${WRITE_STRING}; nodejs/help#2598`,
    },
  },
);

const WRITE_OBJECT = `${V8_SERIALIZER} WriteJSObject`;
const WRITE_BUFFER = `${V8_SERIALIZER} WriteJSArrayBuffer, WriteJSArrayBufferView`;
const SLOW_OBJECT = {
  ...ANYWHERE.degraded,
  blocks: ['fast-object'],
} as const satisfies Partial<Rule>;

const objects = ruleTable(ANYWHERE.note, {
  'v8/dictionary-object': {
    ...SLOW_OBJECT,
    when: { kind: 'object', all: ['dictionary'], none: ['indexed-key', 'enumerable-accessor', 'empty'] },
    title: 'object in dictionary mode',
    why: 'Object.create(null), delete, more than 19 computed keys or JSON with more than 127 keys make a hash table, which is read key by key.',
    fix: 'Build it as a literal with fixed keys, or send a Map or an array of entries.',
    remedies: ['rebuild', 'compiled'],
    source: `${WRITE_OBJECT}; 1.3 times the time of a fast object on Node 20-26`,
  },
  'v8/indexed-key': {
    ...SLOW_OBJECT,
    when: { kind: 'object', all: ['indexed-key'] },
    title: 'integer-like key',
    why: 'One key such as "0" or "17" makes V8 collect all keys and look each one up; the receiver builds the object the slow way too.',
    fix: 'Give such keys a prefix ("id17"), or send a Map or an array of entries.',
    remedies: ['compiled', 'json-text'],
    source: `${WRITE_OBJECT}; 1.8 times the time of a fast object on Node 20 and 24`,
  },
  'v8/accessor': {
    ...SLOW_OBJECT,
    when: { kind: 'object', all: ['enumerable-accessor'], none: ['indexed-key'] },
    title: 'getter or setter',
    why: 'After the first getter every property is looked up by name, and the getter runs while the message is written.',
    fix: 'Copy it to a plain object first: { ...value }.',
    remedies: ['rebuild'],
    source: `${WRITE_OBJECT}; 1.45 times the time of a fast object on Node 20 and 24`,
  },
  'v8/many-objects': {
    at: 'nested',
    when: { kind: 'object', countFrom: 1000 },
    title: 'many objects of one shape',
    why: 'Every key is written in full for every object, and every object is an entry of a table on both sides.',
    fix: 'Send one array per column.',
    remedies: ['compiled', 'json-text'],
    source: `${WRITE_OBJECT}; src/utils/identity-map.cc`,
  },
  'v8/map': {
    ...ANYWHERE.slow,
    when: { kind: ['map', 'set'], sizeFrom: 64 },
    title: 'large Map or Set',
    why: 'The receiver calls Map.prototype.set or Set.prototype.add for each entry, two to four times the work of the same values in an array.',
    fix: 'Send the keys and the values of a Map as two arrays, the members of a Set as one.',
    remedies: ['plain', 'compiled'],
    source: `${V8_SERIALIZER} ReadJSMap, ReadJSSet; 2.6 and 4 times a flat array on Node 20 and 24`,
  },
  'v8/error-stack': {
    when: { kind: 'error' },
    title: 'stack of an error',
    why: 'The stack is sent as text, about half a kilobyte for each error.',
    fix: 'Send only name and message where the stack is not read.',
    remedies: ['plain'],
    source: `${V8_SERIALIZER} WriteJSError; seen on Node 20-26`,
  },
  'v8/error-cycle': {
    ...ANYWHERE.rejected,
    when: { kind: 'error', all: ['cycle'] },
    scope: { runtimes: { node: '<22.0.0' } },
    also: [{ scope: { runtimes: OWN_ERRORS, channels: ['structured-clone', 'rpc'] } }],
    title: 'error inside its own cause',
    why: 'Node 20, and workerd since 2026-04-21, cannot read an error that its cause leads back to. Node posts the message: the receiver gets a messageerror event instead, and a child process ends with an error.',
    fix: 'Send message, stack and cause as a plain object.',
    remedies: ['plain'],
    source: `${V8_SERIALIZER} ReadJSError; workerd src/workerd/jsg/ser.c++; seen on Node 20.20 (lost) and 22.23 (arrives), workerd 2026-11-17`,
  },
  'v8/date': {
    when: { kind: ['date', 'bigint'], countFrom: 1000 },
    title: 'many Dates or BigInts',
    why: 'Each is an object on both sides, a Date also an entry of a table while it is written.',
    fix: 'Send time values as a Float64Array, and BigInts as a BigInt64Array or as numbers below 2^53.',
    remedies: ['compiled'],
    source: `${V8_SERIALIZER} WriteJSReceiver, WriteJSDate, WriteBigInt; 2,000 as a Float64Array take 0.64 of the time on Node 20; a BigInt 2 times a small integer on Node 20 and 24`,
  },
  'v8/deep-nesting': {
    ...AT_ROOT.note,
    when: { payloadDepthFrom: 1000 },
    title: 'deep nesting',
    why: 'V8 writes by recursion on the stack and throws a RangeError somewhere beyond 1,500 levels of objects or 3,000 of arrays, earlier when it is called from deep code. Workers of Chromium read about 1,040 levels of objects: of a deeper message null arrives. Pages of extensions read more than 2,000; nothing of a message of 3,000 arrives.',
    fix: 'Send the nodes as one flat list with the index of each parent.',
    remedies: ['json-text'],
    source: `${V8_SERIALIZER} STACK_CHECK; limits seen on Node 20-26, Deno 2.9 and Chromium 143 (1,040 levels arrive, 1,070 do not), of its extensions on Chromium 156`,
  },
  'v8/pooled-buffer': {
    ...ANYWHERE.degraded,
    when: { kind: VIEW, all: ['view-of-larger', 'pooled'], none: ['shared-backing'] },
    scope: { channels: [...OVER.inProcess, ...ELECTRON_CHANNELS], transferring: false },
    title: 'Buffer from the pool',
    why: 'Node allocates small Buffers in a shared pool, and the whole pool is copied with each one: 8 KiB, or 64 KiB from Node 24 on.',
    fix: 'Send Uint8Array.from(buffer), or make it with Buffer.allocUnsafeSlow.',
    remedies: ['slice-view', 'plain'],
    source: `${WRITE_BUFFER}; seen on Node 20-26, Deno 2.9 and Electron 33.2`,
  },
  'v8/copied-buffer': {
    when: { ...BYTES.copied, none: ['shared-backing', 'wasm-memory'], bytesFrom: 16_384 },
    scope: { channels: OVER.inProcess, exceptOver: OVER.copyingListed, transferring: false },
    title: 'large buffer, copied',
    why: 'Without a transfer list the bytes are copied into the message and out of it again.',
    fix: 'List the buffer in the transfer list when the sender no longer needs it, or use a SharedArrayBuffer.',
    remedies: ['transfer', 'share'],
    source: WRITE_BUFFER,
  },
  'v8/broadcast-large': {
    ...ANYWHERE.degraded,
    when: { kind: ['string', 'arraybuffer', 'typedarray', 'dataview'], bytesFrom: 1_000_000 },
    scope: { runtimes: { chromium: '*' }, channels: ['broadcast'] },
    title: 'megabytes over a BroadcastChannel',
    why: 'Such a message passes through the browser process, which copies it once more each way: 3 to 4 times the time that a Worker takes for the same megabytes.',
    fix: 'Post it to each worker, or over a MessageChannel.',
    source:
      'Chromium third_party/blink/renderer/modules/broadcastchannel; seen on Chromium 156 (37,500 us against 9,280 us for 3 MB in an object)',
  },
});

export const WRITE_ARRAY = `${V8_SERIALIZER} WriteJSArray; tags seen on Node 20-26 and Deno 2.9`;
const SLOW_ARRAY = {
  ...ANYWHERE.degraded,
  blocks: ['packed-array'],
} as const satisfies Partial<Rule>;

const arrays = ruleTable(
  { ...ANYWHERE.note, source: WRITE_ARRAY },
  {
    'v8/holey-array': {
      ...SLOW_ARRAY,
      when: {
        kind: 'array',
        any: ['holey-kind', 'holes'],
        none: ['empty', 'dictionary-elements', 'not-fast-elements', ...UNCHANGEABLE],
      },
      title: 'holey array',
      why: 'V8 marks it as an array that may have holes, even after they were filled, and writes it as pairs of key and value. new Array(n), a gap, delete and often flat, Object.values or Object.entries make one, and so does every clone and every received message.',
      fix: 'Fill its gaps, and copy it with map(x => x) or Array.from(a, x => x) before sending; slice and [...a] keep it holey.',
      remedies: ['repack', 'typed-array', 'json-text'],
    },
    'v8/empty': {
      when: [
        { kind: 'array', all: ['holey-kind', 'empty'], none: ['not-fast-elements', 'frozen'] },
        { kind: 'object', all: ['dictionary', 'empty'], none: ['enumerable-accessor'] },
      ],
      blocks: ['packed-array', 'fast-object'],
      title: 'empty array marked as holey, or empty dictionary',
      why: 'It is written as pairs of key and value; being empty, it costs almost nothing.',
    },
    'v8/frozen-array': {
      ...SLOW_ARRAY,
      when: { kind: 'array', any: [...UNCHANGEABLE, 'not-fast-elements'], none: ['dictionary-elements'] },
      title: 'frozen, sealed or non-extensible array',
      why: 'V8 stores such arrays in a way that its serializer writes as pairs of key and value.',
      fix: 'Send a copy: array.slice(). The receiver gets an unfrozen array anyway.',
      remedies: ['repack'],
    },
    'v8/dictionary-elements': {
      ...SLOW_ARRAY,
      when: { kind: 'array', all: ['dictionary-elements'] },
      title: 'array stored as a dictionary',
      why: 'A huge gap, or an index defined with a getter or as read-only, turns the array into a hash table that is written as pairs of key and value.',
      fix: 'Build it without gaps, or send pairs of index and value.',
      remedies: ['repack', 'plain'],
    },
    'v8/array-named-props': {
      when: { kind: 'array', all: ['named-props'] },
      title: 'array with named properties',
      why: 'The named properties are looked up and sent after the elements; many other ways of sending (JSON, typed arrays) lose them.',
      fix: 'Send an object with the array and the properties.',
    },
    'v8/boxed-doubles': {
      when: { kind: 'array', all: ['packed-double'], sizeFrom: 1000 },
      title: 'array of doubles',
      why: 'The receiver gets each double as a separate object on the heap, and an array marked holey, which is slow to send again.',
      fix: 'Use a Float64Array.',
      remedies: ['typed-array'],
      source: `${V8_SERIALIZER} ReadDenseJSArray; seen on Node 20-26`,
    },
    'v8/smi31': {
      when: { kind: 'number', all: ['beyond-smi31', 'int32'] },
      scope: { runtimes: { chromium: '*' } },
      title: 'integer beyond 31 bits',
      why: 'Chromium keeps integers of 2^30 and more as doubles, so one of them turns an array of integers into one of doubles.',
      fix: 'Use an Int32Array or Uint32Array.',
      remedies: ['typed-array'],
      source: 'V8 pointer compression, 31-bit Smis; seen on Chromium 156',
    },
  },
);

const platform = ruleTable(ANYWHERE.rejected, {
  'v8/file-handle': {
    when: { kind: 'platform', tag: ['FileHandle'] },
    scope: {
      runtimes: { node: '*' },
      channels: [...OVER.inProcess, 'ipc-advanced', 'storage'],
      transferring: false,
    },
    title: 'open file that must be transferred',
    why: 'A FileHandle cannot be copied: to a thread it is only transferred, and to another process or into a file it cannot be sent.',
    fix: 'List it in the transfer list, or send the path of the file.',
    source: 'Node lib/internal/fs/promises.js kTransferable; seen on Node 20.20, 22.23, 24.21 and 26.10',
  },
  'v8/exception-surrogate': {
    when: { kind: 'error', all: ['lone-surrogate'], tag: ['DOMException'] },
    scope: { runtimes: { chromium: '*' }, channels: OVER.cloned },
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
    scope: { runtimes: { deno: '*' }, channels: OVER.posted },
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

const asText = ruleTable(AS_TEXT, {
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

export const rules: readonly Rule[] = [
  ...[...strings, ...arrays, ...objects, ...platform, ...emptied],
  ...[...asText, ...workerd, ...ipc, ...electronBridge],
];
