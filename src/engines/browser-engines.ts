/** Engines that only browsers have: SpiderMonkey of Firefox, and WebKit. Their pages see little of how values are stored. */

import { type Channel, channelsOf } from '../model/names.ts';
import { type Engine, type Rule, ruleTable } from '../model/rules/rule.ts';
import { ANYWHERE, GETS, OVER, ROW } from './standard/row-parts.ts';

const SEEN_ON_FIREFOX = 'seen on Firefox 153';
const STRUCTURED_CLONE = 'SpiderMonkey js/src/vm/StructuredClone.cpp';
const WRITE_STRING = `${STRUCTURED_CLONE} writeString, StringType.h MIN_BYTES_FOR_BUFFER; ${SEEN_ON_FIREFOX}`;
const WRITE_UNITS = `${STRUCTURED_CLONE} SCOutput::writeArray; ${SEEN_ON_FIREFOX}`;

/** Channels whose messages stay in the process: a window here is of the same origin and in the same process. */
const SHARING: readonly Channel[] = ['worker', 'structured-clone', 'window'];
/** Channels whose messages leave the thread or the process, so that strings are copied and not shared. */
const COPYING = channelsOf('firefox', SHARING);
/** Channels whose messages may leave the process. */
const PORTS = channelsOf('firefox', [...SHARING, 'indexeddb']);

/** Minimum length of reported text, code units: shorter UTF-16 text costs a few microseconds at most. */
const TEXT_UNITS = 128;

const JOINED = 'Join many such texts into one long string, which is shared.';

/** Strings that Firefox copies, of a length that it shares elsewhere. */
const UNSHARED = {
  when: { kind: 'string', all: ['bytes-from-514'] },
  blocks: ['string-shared'],
  remedies: ['compiled'],
} as const satisfies Partial<Rule>;

/** Strings that probably have a buffer of their own. */
const WITH_BUFFER = {
  when: { kind: 'string', all: ['bytes-from-514'], none: ['substring'] },
  scope: { channels: SHARING, runtimes: { firefox: '>=137' } },
  source: WRITE_STRING,
} as const;

const STRING_WIDTH = {
  what: 'string-width',
  at: 'any',
  on: ['string-copied', 'serializer'],
  otherwise: { path: 'string-copied', class: 'degraded', rule: 'spidermonkey/two-byte-copied' },
  source: WRITE_UNITS,
} as const;

const TRANSFER_MAP = `${STRUCTURED_CLONE} writeTransferMap; ${SEEN_ON_FIREFOX}`;

export const spidermonkey: Engine = {
  name: 'spidermonkey',
  paths: [
    {
      path: 'string-shared',
      costs: 'shared',
      root: { kind: 'string', all: ['bytes-from-514'] },
      otherwise: 'string-copied',
      title: 'string, shared',
      why: 'A string of 514 bytes or more keeps its characters in a buffer that sender and receiver share.',
      source: WRITE_STRING,
    },
    {
      path: 'string-copied',
      costs: 'bulk',
      root: { kind: 'string' },
      title: 'string, copied',
      why: 'The characters are copied into the message and out of it again.',
      source: WRITE_STRING,
    },
    {
      ...ROW.transferred,
      scope: { transferring: true, channels: SHARING },
      root: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing', 'resizable'] },
      source: TRANSFER_MAP,
    },
    { ...ROW.transferredObject, source: TRANSFER_MAP },
    { ...ROW.shared, source: `${STRUCTURED_CLONE} writeSharedArrayBuffer` },
    {
      ...ROW.serializer,
      why: 'The value is written as words of 8 bytes, part by part, and read back on the receiver before its listeners run. Strings of 514 bytes or more inside it are shared, at any depth; keys are copied.',
      source: `${STRUCTURED_CLONE} JSStructuredCloneWriter; ${SEEN_ON_FIREFOX}`,
    },
  ],
  rules: ruleTable(ANYWHERE.slow, {
    'spidermonkey/string-over-port': {
      ...UNSHARED,
      scope: { channels: PORTS },
      title: 'long string over a port',
      why: 'Only Worker.postMessage, structuredClone and windows of the same process share strings; a MessagePort, BroadcastChannel or service worker may be of another process and copies them, hundreds of times slower for megabytes.',
      fix: 'Post it through the Worker itself.',
      source: `SpiderMonkey dom/messagechannel SharedMessageBody::Write; ${SEEN_ON_FIREFOX} (67 us against 20,100 us for 3 MB in an object)`,
    },
    'spidermonkey/string-to-database': {
      ...UNSHARED,
      scope: { channels: ['indexeddb'] },
      title: 'long string into a database',
      why: 'A database shares no memory with the program: the characters are copied, compressed, and written by another process.',
      fix: 'Put new Blob([text]), and read it by await blob.text().',
      source: `dom/indexedDB IDBObjectStore::GetStructuredCloneReadInfo; ${SEEN_ON_FIREFOX} (9 ms for 3 MB until put returns)`,
    },
    'spidermonkey/string-too-early': {
      ...UNSHARED,
      scope: { runtimes: { firefox: '<137' } },
      title: 'no shared strings in this version',
      why: 'Firefox has shared strings since a version between 129 and 137; older ones copy them.',
      fix: 'Use Firefox 137 or later.',
      source: 'js/src/vm/StructuredClone.cpp: absent in 128, present in 137',
    },
    'spidermonkey/unshared-string': {
      ...UNSHARED,
      when: { kind: 'string', all: ['bytes-from-514', 'substring'] },
      scope: { channels: SHARING },
      title: 'string without a buffer to share',
      why: 'A piece of a longer string (slice, split), a string that was joined into a longer one, and a string out of JSON.parse of up to 1,024 bytes have no buffer of their own, so they are copied.',
      fix: 'Join it once from two parts and read a character of it before sending: the flattened text has a buffer from 514 bytes on.',
      remedies: ['own-string'],
      source: WRITE_STRING,
    },
    'spidermonkey/two-byte-copied': {
      ...ANYWHERE.degraded,
      when: { kind: 'string', all: ['two-byte'], sizeFrom: TEXT_UNITS },
      scope: { channels: COPYING },
      also: [
        {
          when: { kind: 'string', all: ['two-byte'], none: ['bytes-from-514'], sizeFrom: TEXT_UNITS },
          scope: { channels: SHARING },
        },
      ],
      title: 'UTF-16 text that is not shared',
      why: 'Texts of less than 514 bytes, and all texts over a port or into a database, are copied, and UTF-16 text one code unit at a time, 8 to 25 ns each. What TextDecoder and fetch().text() give is stored so too, even when it is ASCII.',
      fix: 'Post it through the Worker itself, or send the bytes of a TextEncoder.',
      fixIn: {
        ...{ worker: JOINED, 'structured-clone': JOINED, window: JOINED },
        indexeddb: 'Put the bytes of a TextEncoder, or new Blob([text]).',
      },
      source: `${WRITE_UNITS} (256 units each: 8,791 us, 257 units: 501 us for the same batch)`,
    },
    'spidermonkey/exception-text': {
      ...ANYWHERE.losesValue,
      when: { kind: 'error', all: ['beyond-ascii'], tag: ['DOMException'] },
      scope: { channels: OVER.cloned },
      title: 'text of a DOMException beyond ASCII',
      why: 'The bytes of its name and message arrive as characters of their own: "\u00e9" as "\u00c3\u00a9".',
      fix: 'Send name and message as a plain object.',
      remedies: ['plain'],
      source: `dom/base/DOMException.cpp; ${SEEN_ON_FIREFOX}`,
    },
    'spidermonkey/number-array': {
      ...ANYWHERE.note,
      when: { kind: 'array', sizeFrom: 1000 },
      title: 'long array',
      why: 'Every element takes 16 bytes, its index included, and a key lookup. Holes, freezing and storage as a dictionary make no difference.',
      fix: 'Use a typed array for numbers.',
      remedies: ['typed-array', 'compiled'],
      source: `${STRUCTURED_CLONE} traverseObject; ${SEEN_ON_FIREFOX}`,
    },
  }),
  // No API of Firefox shows how it stores a string.
  unknowns: [
    {
      ...WITH_BUFFER,
      what: 'share-or-copy',
      at: 'root',
      on: ['string-shared'],
      otherwise: { path: 'string-copied', class: 'bulk', rule: 'spidermonkey/unshared-string' },
    },
    {
      ...WITH_BUFFER,
      what: 'share-or-copy',
      at: 'nested',
      on: ['serializer'],
      otherwise: { path: 'string-copied', class: 'serialized', rule: 'spidermonkey/unshared-string' },
    },
    {
      ...STRING_WIDTH,
      when: { kind: 'string', none: ['two-byte'], sizeFrom: TEXT_UNITS },
      scope: { channels: COPYING },
    },
    {
      ...STRING_WIDTH,
      when: { kind: 'string', none: ['two-byte', 'bytes-from-514'], sizeFrom: TEXT_UNITS },
      scope: { channels: SHARING },
    },
    { ...ROW.getterResult, source: `${STRUCTURED_CLONE} traverseObject; ${GETS}` },
  ],
  shares: [{ ...WITH_BUFFER, at: 'any' }, ROW.memory, ROW.platformShared],
};

const CLONE_FILE = 'WebKit Source/WebCore/bindings/js/SerializedScriptValue.cpp';
const SEEN_ON_GTK = 'seen on WebKitGTK 2.50';
/** Channels that share memory. The other channels turn shared memory into an ordinary buffer. */
const SHARING_MEMORY = ['worker', 'message-port', 'broadcast'] as const;

export const webkit: Engine = {
  name: 'webkit',
  paths: [
    {
      ...ROW.transferred,
      root: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
      source: `${CLONE_FILE} transferArrayBuffers`,
    },
    {
      ...ROW.transferredObject,
      why: 'A port or a canvas is moved to the receiver.',
      source: `${CLONE_FILE} transferArrayBuffers`,
    },
    { ...ROW.shared, scope: { channels: SHARING_MEMORY }, source: CLONE_FILE },
    {
      ...ROW.serializer,
      why: 'The value is written into a byte stream, part by part, and read back on the receiver before its listeners run, whether they read event.data or not.',
      source: `${CLONE_FILE} CloneSerializer; ${SEEN_ON_GTK}`,
    },
  ],
  rules: ruleTable(ANYWHERE.note, {
    'webkit/frozen-array': {
      ...ANYWHERE.degraded,
      when: { kind: 'array', all: ['frozen'], none: ['empty'] },
      title: 'frozen array',
      why: 'JavaScriptCore keeps the elements of a frozen array in a slower storage; it takes 1.7 times the time of the same array unfrozen.',
      fix: 'Send a copy: array.slice(). The receiver gets an unfrozen array anyway.',
      remedies: ['repack'],
      source: `JavaScriptCore runtime/JSObject.cpp enterDictionaryIndexingMode; ${SEEN_ON_GTK}`,
    },
    'webkit/indexed-key': {
      ...ANYWHERE.degraded,
      when: { kind: 'object', all: ['indexed-key'] },
      title: 'integer-like key',
      why: 'Keys such as "0" or "17" are kept as elements and turned into text for each message; such an object takes 7 times the time that Chromium needs for it.',
      fix: 'Give such keys a prefix ("id17"), or send a Map or an array of entries.',
      remedies: ['compiled', 'json-text'],
      source: `${CLONE_FILE}; ${SEEN_ON_GTK}`,
    },
    'webkit/resizable-buffer': {
      ...ANYWHERE.degraded,
      when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['resizable'], none: ['shared-backing'] },
      scope: { transferring: false },
      title: 'resizable buffer',
      why: 'Copying a resizable buffer takes 3.3 times the time of a fixed one of the same length.',
      fix: 'Send a fixed copy: buffer.slice(), or view.slice().',
      source: `${CLONE_FILE} dumpArrayBuffer; ${SEEN_ON_GTK}`,
    },
    'webkit/long-string': {
      when: { kind: 'string', sizeFrom: 65_536 },
      also: [{ at: 'nested', when: { kind: 'string', none: ['repeated'], countFrom: 1000 } }],
      title: 'long string, or many different ones',
      why: 'Each distinct string of a message is hashed and interned on both sides before it is copied: short strings that all differ take three times the time of one that is repeated.',
      fix: 'Where the text is bytes anyway, send the bytes and transfer their buffer. Send values that are known on both sides as numbers.',
      source: `${CLONE_FILE} write(const String&), m_constantPool; ${SEEN_ON_GTK}`,
    },
  }),
  unknowns: [
    // Freezing was measured; sealing changes the storage too, at a cost that is not known.
    {
      what: 'element-storage',
      at: 'any',
      when: { kind: 'array', any: ['sealed', 'non-extensible'], none: ['frozen', 'empty'] },
      on: ['serializer'],
      otherwise: { path: 'serializer', class: 'degraded', rule: 'webkit/frozen-array' },
      source: 'JavaScriptCore runtime/JSObject.cpp enterDictionaryIndexingMode',
    },
    { ...ROW.getterResult, source: `${CLONE_FILE} CloneSerializer::getProperty` },
  ],
  shares: [{ ...ROW.memory, scope: { channels: SHARING_MEMORY } }, ROW.platformShared],
};
