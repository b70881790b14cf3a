import type { Engine, PathRow, Rule, UnknownRow } from '../../model/rule.ts';
import { SHARED, TRANSFERRED, VIEW_OF_LARGER } from '../common.ts';

const WRITE_STRING =
  'SpiderMonkey js/src/vm/StructuredClone.cpp writeString, StringType.h MIN_BYTES_FOR_BUFFER; seen on Firefox 153';

const paths = [
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
    ...TRANSFERRED,
    path: 'serializer',
    root: [
      { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
      { kind: 'platform', all: ['transferable'] },
    ],
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp writeTransferMap',
  },
  {
    ...SHARED,
    path: 'serializer',
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp writeSharedArrayBuffer',
  },
  {
    path: 'serializer',
    costs: 'serialized',
    root: {},
    title: 'serializer',
    why: 'The value is written as words of 8 bytes, part by part, and read back on the receiver.',
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp JSStructuredCloneWriter',
  },
] as const satisfies readonly PathRow[];

const rules = [
  {
    id: 'spidermonkey/string-over-port',
    level: 'slow',
    at: 'root',
    when: { kind: 'string', all: ['bytes-from-514'] },
    scope: { channels: ['message-port', 'broadcast'] },
    blocks: ['string-shared'],
    title: 'long string over a port',
    why: 'Only Worker.postMessage and structuredClone share strings; a MessagePort or BroadcastChannel may leave the process and copies them, hundreds of times slower for megabytes.',
    fix: 'Post it through the Worker itself.',
    source:
      'SpiderMonkey dom/messagechannel SharedMessageBody::Write; seen on Firefox 153 (24 us against 12,300 us for 3 MB)',
  },
  {
    id: 'spidermonkey/string-too-early',
    level: 'slow',
    at: 'root',
    when: { kind: 'string', all: ['bytes-from-514'] },
    scope: { runtimes: { firefox: '<137' } },
    blocks: ['string-shared'],
    title: 'no shared strings in this version',
    why: 'Firefox has shared strings since a version between 129 and 137; older ones copy them.',
    fix: 'Use Firefox 137 or later.',
    source: 'js/src/vm/StructuredClone.cpp: absent in 128, present in 137',
  },
  {
    id: 'spidermonkey/substring',
    level: 'slow',
    at: 'root',
    when: { kind: 'string', all: ['bytes-from-514', 'substring'] },
    blocks: ['string-shared'],
    title: 'piece of a longer string',
    why: 'A piece of a longer string has no buffer of its own, so it is copied, one code unit at a time when it is UTF-16.',
    fix: 'Copy the piece into a string of its own before sending it.',
    remedies: ['own-string'],
    source: WRITE_STRING,
  },
  {
    id: 'spidermonkey/two-byte-copied',
    level: 'slow',
    at: 'any',
    when: { kind: 'string', all: ['two-byte', 'bytes-from-514'] },
    scope: { channels: ['message-port', 'broadcast'] },
    costs: 'degraded',
    title: 'UTF-16 text over a port',
    why: 'Without a shared buffer UTF-16 text is written one code unit at a time.',
    fix: 'Post it through the Worker itself, or send the bytes of a TextEncoder.',
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp SCOutput::writeArray',
  },
  {
    ...VIEW_OF_LARGER,
    id: 'spidermonkey/view-of-larger',
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp writeTypedArray',
  },
  {
    id: 'spidermonkey/number-array',
    level: 'note',
    at: 'any',
    when: { kind: 'array', sizeFrom: 1000 },
    title: 'long array',
    why: 'Every element takes 16 bytes, its index included, and a key lookup; holes make no difference.',
    fix: 'Use a typed array for numbers.',
    remedies: ['typed-array', 'columns'],
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp traverseObject',
  },
] as const satisfies readonly Rule[];

const unknowns = [
  {
    what: 'share-or-copy',
    at: 'root',
    when: { kind: 'string', all: ['bytes-from-514'], none: ['substring'] },
    on: ['string-shared'],
    otherwise: { path: 'string-copied', class: 'bulk', rule: 'spidermonkey/substring' },
    source: WRITE_STRING,
  },
] as const satisfies readonly UnknownRow[];

/** SpiderMonkey as Firefox uses it. */
export const spidermonkey: Engine = { name: 'spidermonkey', paths, rules, unknowns };
