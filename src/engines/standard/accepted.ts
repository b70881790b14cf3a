/** Rules of several engines on values that arrive, but lose something or cost more than they need to. */
import { CHANNELS, type Channel, ELECTRON_CHANNELS, JSON_CHANNELS } from '../../model/names.ts';
import { LOSS_KINDS, type Rule, ruleTable, type Scope, type When } from '../../model/rules/rule.ts';
import { BUFFER_KINDS, type Kind } from '../../model/vocabulary/shape.ts';
import { EMPTIED, IN_EXTENSION, INSTEAD } from './json.ts';
import { PLATFORM_POSTS } from './platform-posts.ts';
import { ANYWHERE, BRIDGE, BYTES, GETTER, ON_V8, OVER, OWN_ERRORS, UNCHANGEABLE, VIEW } from './row-parts.ts';

const TO_SERVICE_WORKER = { channels: ['service-worker'], transferring: true } as const;
const SPARSE = { kind: 'array', all: ['holes'], sizeFrom: 10_000, filledTo: 0.5 } as const satisfies When;

export const slow = ruleTable(ANYWHERE.slow, {
  'spec/view-of-larger': {
    ...ANYWHERE.degraded,
    when: { kind: VIEW, all: ['view-of-larger'], none: ['shared-backing'] },
    title: 'small view on a large buffer',
    why: 'The whole buffer behind the view is copied, not only the part that the view shows.',
    fix: 'Send a copy of just the part: view.slice().',
    remedies: ['slice-view'],
    source:
      'V8 WriteJSArrayBufferView, SerializedScriptValue.cpp dumpArrayBufferView, SpiderMonkey StructuredClone.cpp writeTypedArray; seen on Node 20-26, Deno 2.9, Electron 33.2, Bun 1.2.20-1.4.5, Firefox 153',
    scope: { runtimes: { bun: '*', firefox: '*', webkit: '*' }, transferring: false },
    also: [
      {
        // Buffers of the pool have a separate rule.
        when: { kind: VIEW, all: ['view-of-larger'], none: ['shared-backing', 'pooled'] },
        scope: {
          ...{ runtimes: ON_V8, transferring: false },
          channels: [...OVER.cloned, 'rpc', ...ELECTRON_CHANNELS],
        },
      },
    ],
  },
  'spec/sparse-length': {
    ...ANYWHERE.degraded,
    when: SPARSE,
    title: 'long array with holes',
    why: 'Every index below the length is read or allocated, so the cost follows the length, not the number of elements. V8 does so on the receiver, and reads an array above 33,554,432 as a hash table.',
    fix: 'Send the pairs of index and value, or a Map.',
    remedies: ['repack'],
    source:
      'V8 src/objects/value-serializer.cc ReadSparseJSArray, js-array.h kMaxFastArrayLength; oven-sh/bun#33512; two elements 5,000,000 apart take 20 to 44 ms to receive on Node 20.20 to 26.10 and Deno 2.9.6, 69 to 102 ms on WebKitGTK 2.50',
    scope: { runtimes: { webkit: '*' } },
    also: [
      { scope: { runtimes: { bun: '*' } }, on: ['serializer'] },
      {
        // V8 reads a longer array as a hash table.
        when: { ...SPARSE, sizeTo: 33_554_432 },
        scope: { exceptOn: { bun: '*', firefox: '*', webkit: '*' } },
      },
    ],
  },
  'spec/transfer-copied': {
    when: { ...BYTES.copied, all: ['resizable'] },
    scope: { runtimes: { firefox: '*' }, transferring: true },
    also: [
      { when: BYTES.copied, scope: { runtimes: { chromium: '*', firefox: '*' }, ...TO_SERVICE_WORKER } },
      {
        when: BYTES.copied,
        scope: { runtimes: { firefox: '*' }, channels: ['message-port'], transferring: true },
      },
    ],
    title: 'transfer that copies',
    why: 'A service worker, in Firefox a MessagePort too, may be in another process: the bytes of a transferred buffer are copied, and the sender loses it all the same. Firefox copies each resizable buffer.',
    fix: 'Transfer it through a Worker itself, or use a SharedArrayBuffer. Make a resizable one fixed before it is filled: buffer.transferToFixedLength().',
    fixIn: {
      'service-worker':
        'Leave the buffer out of the list, or post a Blob, whose bytes are read where they are needed.',
    },
    remedies: ['share'],
    source:
      'SpiderMonkey js/src/vm/StructuredClone.cpp writeTransferMap; seen on Chromium 143 and Firefox 153 (8 MB to a service worker: 115 ms listed and 108 ms not, 207 ms and 202 ms; over a port of Firefox 178 ms, 24 us to a Worker)',
  },
  'spec/repeated-string': {
    when: { kind: 'string', all: ['repeated'] },
    scope: { runtimes: ON_V8 },
    also: [
      {
        when: { kind: 'string', all: ['repeated'], none: ['bytes-from-514'] },
        scope: { runtimes: { firefox: '*' } },
      },
    ],
    title: 'repeated string',
    why: 'A string that is not shared is written in full each time it occurs; only objects are written once and referenced after that.',
    fix: 'Send each distinct text once and an index instead of each text.',
    remedies: ['compiled'],
    source:
      'V8 src/objects/value-serializer.cc, the id map holds JSReceivers only; SpiderMonkey js/src/vm/StructuredClone.cpp writeString; seen on Node 20-26 and Firefox 153',
  },
  'spec/string-written-once': {
    ...ANYWHERE.note,
    when: { kind: 'string', all: ['repeated'] },
    scope: { runtimes: { bun: '*', webkit: '*' } },
    on: ['serializer'],
    title: 'repeated string, written once',
    why: 'The serializer writes equal strings once per message and references them after that, so repeating one costs little here.',
    source: 'SerializedScriptValue.cpp m_constantPool; seen on Bun 1.4.5 and WebKitGTK 2.50',
  },
});

const LOSSY = {
  ...ANYWHERE.lossy,
  source:
    'HTML StructuredSerializeInternal and StructuredDeserialize; seen on Node 20-26, Deno 2.9, Bun 1.4.5',
} as const satisfies Partial<Rule>;
const LOSES_CLASS = { ...LOSSY, loses: 'class', remedies: ['plain'] } as const;
/** Scope of losses that JSON channels have, too. */
const EVERYWHERE = { channels: CHANNELS };
const NOTE = { ...LOSSY, level: 'note' } as const;

/** Objects whose own properties no engine sends. */
const DATA_BUILT_INS: readonly Kind[] = ['date', 'regexp', 'boxed', ...BUFFER_KINDS];
const BUILT_INS: readonly Kind[] = [...DATA_BUILT_INS, 'platform'];

/** Channels of Bun to another process and into a file, with its own serializer. */
const IN_BUN_APART: readonly Channel[] = ['ipc-advanced', 'storage'];
const OPEN_PLATFORM: When = { kind: 'platform', all: ['extra-props'] };
const OPEN_COLLECTION: When = { kind: ['map', 'set'], all: ['extra-props'] };

export const lossy = ruleTable(LOSSY, {
  'spec/changed-on-arrival': {
    // Only a real post shows it (engines/classify/observed.ts).
    when: [],
    scope: EVERYWHERE,
    loses: LOSS_KINDS,
    title: 'seen in a real post',
    why: 'What arrived differs from what was posted, and no rule explains it: Proxies and objects of the platform may do that.',
    fix: 'Send what the other side needs of it as plain data.',
    remedies: ['plain'],
  },
  'spec/class-instance': {
    ...LOSES_CLASS,
    when: { kind: 'object', all: ['class-instance'] },
    scope: { ...EVERYWHERE, exceptOver: ['rpc'] },
    title: 'class instance',
    why: 'It arrives as a plain object: its prototype, methods and #private fields are lost.',
    fix: 'Send the data and rebuild the instance on the receiver.',
  },
  'spec/null-prototype': {
    ...NOTE,
    when: { kind: 'object', all: ['null-prototype'] },
    scope: { ...EVERYWHERE, exceptOver: ['rpc'] },
    loses: 'class',
    title: 'object without a prototype',
    why: 'It arrives with Object.prototype, so "toString" in value becomes true.',
    fix: 'Use Object.hasOwn, or a Map.',
    remedies: ['plain'],
  },
  'spec/accessor': {
    when: GETTER,
    loses: 'getter',
    also: [
      { loses: ['getter', 'property', 'value'], scope: { channels: JSON_CHANNELS } },
      { loses: ['getter', 'property', 'result'], scope: BRIDGE.alone },
    ],
    title: 'getter or setter',
    why: 'The getter runs on the sender and its result arrives as a plain value; a lone setter arrives as undefined, over JSON not at all. If it throws over contextBridge, the property of an argument is missing, and the call of a result throws.',
    fix: 'Copy the value to a data property before sending.',
    remedies: ['rebuild'],
  },
  'spec/symbol-key': {
    when: { kind: ['object', 'array', 'map', 'set'], all: ['symbol-key'] },
    scope: { ...EVERYWHERE, exceptOver: ['electron-bridge'] },
    loses: 'property',
    title: 'symbol key',
    why: 'Properties under symbols are left out silently.',
    fix: 'Use a string key.',
  },
  'spec/non-enumerable': {
    when: { kind: ['object', 'array', 'map', 'set'], all: ['non-enumerable'] },
    scope: BRIDGE.too,
    also: [
      {
        when: [
          { kind: 'object', all: ['non-enumerable'] },
          { kind: 'array', all: ['named-props'] },
        ],
        scope: { channels: JSON_CHANNELS },
      },
    ],
    loses: 'property',
    title: 'property that is left out',
    why: 'Properties that are not enumerable are left out silently, such as raw of a template literal; over JSON named ones of an array, too.',
    fix: 'Make the property enumerable, or copy its value to one that is.',
    fixIn: {
      'ipc-json': `Copy its value to an enumerable property of an object. Of an array: ${INSTEAD}`,
      extension: `Copy its value to an enumerable property of an object. Of an array: ${IN_EXTENSION}`,
    },
  },
  'spec/frozen': {
    ...NOTE,
    // Shared memory of WebAssembly arrives frozen, a view on it does not.
    when: [
      { any: UNCHANGEABLE, none: ['wasm-memory'] },
      { kind: VIEW, all: ['wasm-memory'], any: UNCHANGEABLE },
    ],
    scope: EVERYWHERE,
    loses: 'integrity',
    title: 'frozen, sealed or non-extensible',
    why: 'It arrives writable and extensible.',
    fix: 'Freeze it again on the receiver where that matters.',
  },
  'spec/read-only': {
    ...NOTE,
    when: { all: ['sent-fixed'] },
    scope: BRIDGE.too,
    also: [
      {
        when: [
          { kind: ['object', 'arguments', ...EMPTIED], all: ['sent-fixed'] },
          { kind: 'array', all: ['sent-fixed'], none: ['named-props'] },
        ],
        scope: { channels: JSON_CHANNELS },
        loses: ['attributes', 'property'],
      },
    ],
    loses: 'attributes',
    title: 'read-only or non-configurable property',
    why: 'It arrives as an ordinary writable property.',
  },
  'spec/extra-props': {
    loses: 'property',
    title: 'own properties of a built-in object',
    why: 'Only the inner value, or the entries, are sent; properties set on the object itself are lost.',
    fix: 'Send such properties as separate values.',
    remedies: ['plain'],
    when: { kind: DATA_BUILT_INS, all: ['extra-props'] },
    scope: BRIDGE.too,
    also: [
      // Over IPC such an object arrives as a plain object with just these properties, except in Bun.
      { when: OPEN_PLATFORM, scope: { channels: [...OVER.cloned, 'rpc'] } },
      { when: OPEN_PLATFORM, scope: { runtimes: { bun: '*' }, channels: IN_BUN_APART } },
      // Bun and WebKit send those of collections.
      { when: OPEN_COLLECTION, scope: { ...BRIDGE.too, exceptOn: { bun: '*', webkit: '*' } } },
    ],
  },
  'spec/regexp': {
    ...NOTE,
    when: { kind: 'regexp' },
    scope: BRIDGE.too,
    title: 'regular expression',
    why: 'It is sent as text, and the receiver compiles it again.',
    fix: 'Send the source once and keep the expression on the receiver.',
    remedies: ['plain'],
  },
  'spec/last-index': {
    ...NOTE,
    when: { kind: 'regexp', all: ['altered-slot'] },
    scope: BRIDGE.too,
    loses: 'value',
    title: 'lastIndex of a regular expression',
    why: 'It arrives as 0, so the receiver searches from the start.',
    fix: 'Send lastIndex beside the expression.',
    remedies: ['plain'],
  },
  'spec/built-in-subclass': {
    ...LOSES_CLASS,
    when: { kind: ['map', 'set', ...BUILT_INS], all: ['subclass'] },
    scope: BRIDGE.too,
    also: [{ when: { kind: 'array', any: ['subclass', 'null-prototype'] }, scope: EVERYWHERE }],
    title: 'subclass of a built-in',
    why: 'It arrives as an object of the built-in class, or an ordinary array: its own prototype and methods are lost.',
    fix: 'Rebuild the instance on the receiver.',
  },
  'spec/node-buffer': {
    ...LOSES_CLASS,
    when: { kind: 'typedarray', all: ['node-buffer'] },
    title: 'Buffer',
    why: 'A Buffer arrives as a Uint8Array, without the methods of Buffer.',
    fix: 'Wrap it again on the receiver: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).',
    source: 'nodejs/node#27266; seen on Node 20-26, Bun 1.3.14 and 1.4.5, Electron 33.2',
    scope: { channels: [...OVER.inProcess, ...ELECTRON_CHANNELS, 'electron-bridge', 'rpc'] },
    also: [{ scope: { runtimes: { bun: '<1.4.0' }, channels: IN_BUN_APART } }],
  },
  'spec/shared-copied': {
    ...ANYWHERE.losesValue,
    when: BYTES.shared,
    title: 'SharedArrayBuffer, copied',
    why: 'An ordinary ArrayBuffer with a copy of the bytes arrives: Bun shares no memory with another process or a file, and before 1.4 copies it in structuredClone too; WebKit does so in structuredClone and to a window.',
    fix: 'Post it to the Worker or port that needs it.',
    source: 'seen on Bun 1.2.20-1.4.5 and WebKitGTK 2.50',
    scope: { runtimes: { webkit: '*' }, channels: ['structured-clone', 'window'] },
    also: [
      { scope: { runtimes: { bun: '<1.4.0' }, channels: ['structured-clone'] } },
      { scope: { runtimes: { bun: '*' }, channels: IN_BUN_APART } },
    ],
  },
  'spec/identity': {
    ...ANYWHERE.losesValue,
    title: 'Date, RegExp, error or platform object that is sent twice',
    why: 'Each reference to it arrives as an object of its own, in Bun up to 1.3 and in WebKit; in Bun 1.4 only for memory and modules of WebAssembly.',
    fix: 'Send it once and refer to it by a key.',
    source:
      'SerializedScriptValue.cpp, object pool; HTML StructuredSerializeForStorage; seen on Bun 1.2.20-1.3.14, Bun 1.4.5 (modules and memory of WebAssembly) and WebKitGTK 2.50',
    when: { kind: ['date', 'regexp', 'error'], all: ['repeated'] },
    scope: { runtimes: { webkit: '*', bun: '<1.4.0' } },
    also: [
      { when: { kind: 'platform', all: ['repeated'] }, scope: { runtimes: { bun: '<1.4.0' } } },
      {
        when: { kind: 'platform', all: ['repeated'], posted: { by: PLATFORM_POSTS, all: ['apart'] } },
        scope: { runtimes: { bun: '>=1.4.0', webkit: '*' }, channels: OVER.cloned },
      },
    ],
  },
});

/** Since this date, workerd sends all properties of an error, and cannot read an error with a different text. */
const BUT_WORKERD = { exceptOn: OWN_ERRORS } as const satisfies Scope;

const ERROR = {
  ...LOSSY,
  fix: 'Send name, message, stack and the properties as a plain object.',
  remedies: ['plain'],
} as const satisfies Partial<Rule>;

export const errors = ruleTable(ERROR, {
  'spec/error-props': {
    when: { kind: 'error', any: ['extra-props', 'aggregate', 'accessor'] },
    scope: BUT_WORKERD,
    loses: 'property',
    title: 'own properties of an error',
    why: 'Only name, message, stack and sometimes cause arrive: code, errors of an AggregateError (which Firefox keeps), an own name and other properties are lost.',
  },
  'spec/error-cause': {
    when: { kind: 'error', all: ['has-cause'] },
    scope: { runtimes: { bun: '*' } },
    loses: 'property',
    also: [
      {
        when: { kind: 'error', all: ['cause-not-text'] },
        scope: { runtimes: { webkit: '*' } },
        loses: 'value',
      },
    ],
    title: 'cause of an error that is dropped, or arrives as text',
    why: 'Bun drops the cause. In WebKit it arrives as the text that String(error.cause) gives: of an error its name and message, of another object only that it is one.',
    fix: 'Send message, stack and cause as a plain object.',
    source:
      'SerializedScriptValue.cpp CloneSerializer::dumpIfTerminal; seen on Bun 1.3.9 and 1.4.5, WebKitGTK 2.50',
  },
  'spec/error-class': {
    when: { kind: 'error', all: ['subclass'] },
    loses: 'class',
    title: 'class of an error',
    why: 'The name decides the class that arrives: TypeError and other standard names give that class, any other name gives Error.',
  },
  'spec/error-text': {
    when: { kind: 'error', all: ['altered-slot'] },
    scope: BUT_WORKERD,
    loses: 'value',
    title: 'message that is not a string',
    why: 'The message arrives as text, whatever it was.',
  },
});
