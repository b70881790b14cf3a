import {
  type Engine,
  type PathRow,
  ruleTable,
  type SharedRow,
  type UnknownRow,
} from '../../model/rules/rule.ts';
import {
  ANYWHERE,
  GETTER_RESULT,
  MEMORY,
  PLATFORM_SHARED,
  SERIALIZER,
  SHARED,
  TRANSFERRED,
  TRANSFERRED_OBJECT,
} from '../standard/common.ts';

const FILE = 'WebKit Source/WebCore/bindings/js/SerializedScriptValue.cpp';
const SEEN = 'seen on WebKitGTK 2.50';
/** Channels that share memory. The other channels turn shared memory into an ordinary buffer. */
const SHARING = ['worker', 'message-port', 'broadcast'] as const;

const paths = [
  {
    ...TRANSFERRED,
    root: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
    source: `${FILE} transferArrayBuffers`,
  },
  {
    ...TRANSFERRED_OBJECT,
    why: 'A port or a canvas is moved to the receiver.',
    source: `${FILE} transferArrayBuffers`,
  },
  { ...SHARED, scope: { channels: SHARING }, source: FILE },
  {
    ...SERIALIZER,
    why: 'The value is written into a byte stream, part by part, and read back on the receiver before its listeners run, whether they read event.data or not.',
    source: `${FILE} CloneSerializer; ${SEEN}`,
  },
] as const satisfies readonly PathRow[];

const rules = ruleTable(ANYWHERE.note, {
  'webkit/frozen-array': {
    ...ANYWHERE.degraded,
    when: { kind: 'array', all: ['frozen'], none: ['empty'] },
    title: 'frozen array',
    why: 'JavaScriptCore keeps the elements of a frozen array in a slower storage; it takes 1.7 times the time of the same array unfrozen.',
    fix: 'Send a copy: array.slice(). The receiver gets an unfrozen array anyway.',
    remedies: ['repack'],
    source: `JavaScriptCore runtime/JSObject.cpp enterDictionaryIndexingMode; ${SEEN}`,
  },
  'webkit/indexed-key': {
    ...ANYWHERE.degraded,
    when: { kind: 'object', all: ['indexed-key'] },
    title: 'integer-like key',
    why: 'Keys such as "0" or "17" are kept as elements and turned into text for each message; such an object takes 7 times the time that Chromium needs for it.',
    fix: 'Give such keys a prefix ("id17"), or send a Map or an array of entries.',
    remedies: ['compiled', 'json-text'],
    source: `${FILE}; ${SEEN}`,
  },
  'webkit/resizable-buffer': {
    ...ANYWHERE.degraded,
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['resizable'], none: ['shared-backing'] },
    scope: { transferring: false },
    title: 'resizable buffer',
    why: 'Copying a resizable buffer takes 3.3 times the time of a fixed one of the same length.',
    fix: 'Send a fixed copy: buffer.slice(), or view.slice().',
    source: `${FILE} dumpArrayBuffer; ${SEEN}`,
  },
  'webkit/long-string': {
    when: { kind: 'string', sizeFrom: 65_536 },
    also: [{ at: 'nested', when: { kind: 'string', none: ['repeated'], countFrom: 1000 } }],
    title: 'long string, or many different ones',
    why: 'Each distinct string of a message is hashed and interned on both sides before it is copied: short strings that all differ take three times the time of one that is repeated.',
    fix: 'Where the text is bytes anyway, send the bytes and transfer their buffer. Send values that are known on both sides as numbers.',
    source: `${FILE} write(const String&), m_constantPool; ${SEEN}`,
  },
});

/** Freezing was measured; sealing changes the storage too, at a cost that is not known. */
const unknowns = [
  {
    what: 'element-storage',
    at: 'any',
    when: { kind: 'array', any: ['sealed', 'non-extensible'], none: ['frozen', 'empty'] },
    on: ['serializer'],
    otherwise: { path: 'serializer', class: 'degraded', rule: 'webkit/frozen-array' },
    source: 'JavaScriptCore runtime/JSObject.cpp enterDictionaryIndexingMode',
  },
  { ...GETTER_RESULT, on: ['serializer'], source: `${FILE} CloneSerializer::getProperty` },
] as const satisfies readonly UnknownRow[];

const shares = [
  { ...MEMORY, scope: { channels: SHARING } },
  PLATFORM_SHARED,
] as const satisfies readonly SharedRow[];

export const webkit: Engine = { name: 'webkit', paths, rules, unknowns, shares };
