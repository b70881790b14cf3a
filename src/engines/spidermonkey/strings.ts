import type { Channel } from '../../model/names.ts';
import type { Rule, UnknownRow } from '../../model/rules/rule.ts';
import { ANYWHERE } from '../standard/common.ts';

export const WRITE_STRING =
  'SpiderMonkey js/src/vm/StructuredClone.cpp writeString, StringType.h MIN_BYTES_FOR_BUFFER; seen on Firefox 153';
const WRITE_UNITS = 'SpiderMonkey js/src/vm/StructuredClone.cpp SCOutput::writeArray; seen on Firefox 153';

/** Channels whose messages may leave the process. */
const PORTS: readonly Channel[] = ['message-port', 'broadcast'];
/** And those whose messages leave the thread: nothing is shared. */
const COPYING: readonly Channel[] = [...PORTS, 'indexeddb'];
/** Those that stay in it: a window here is of the same origin, and of the same process. */
export const SHARING: readonly Channel[] = ['worker', 'structured-clone', 'window'];

/** Shorter UTF-16 text costs a few microseconds at most. */
const TEXT_UNITS = 128;

export const strings = [
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/string-over-port',
    when: { kind: 'string', all: ['bytes-from-514'] },
    scope: { channels: PORTS },
    blocks: ['string-shared'],
    title: 'long string over a port',
    why: 'Only Worker.postMessage, structuredClone and windows of the same process share strings; a MessagePort or BroadcastChannel may leave the process and copies them, hundreds of times slower for megabytes.',
    fix: 'Post it through the Worker itself.',
    remedies: ['compiled'],
    source:
      'SpiderMonkey dom/messagechannel SharedMessageBody::Write; seen on Firefox 153 (67 us against 20,100 us for 3 MB in an object)',
  },
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/string-to-database',
    when: { kind: 'string', all: ['bytes-from-514'] },
    scope: { channels: ['indexeddb'] },
    blocks: ['string-shared'],
    title: 'long string into a database',
    why: 'A database shares no memory with the program: the characters are copied, compressed, and written by another process.',
    fix: 'Put new Blob([text]), and read it by await blob.text().',
    remedies: ['compiled'],
    source:
      'dom/indexedDB IDBObjectStore::GetStructuredCloneReadInfo; seen on Firefox 153 (9 ms for 3 MB until put returns)',
  },
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/string-too-early',
    when: { kind: 'string', all: ['bytes-from-514'] },
    scope: { runtimes: { firefox: '<137' } },
    blocks: ['string-shared'],
    title: 'no shared strings in this version',
    why: 'Firefox has shared strings since a version between 129 and 137; older ones copy them.',
    fix: 'Use Firefox 137 or later.',
    remedies: ['compiled'],
    source: 'js/src/vm/StructuredClone.cpp: absent in 128, present in 137',
  },
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/unshared-string',
    when: { kind: 'string', all: ['bytes-from-514', 'substring'] },
    scope: { channels: SHARING },
    blocks: ['string-shared'],
    title: 'string without a buffer to share',
    why: 'A piece of a longer string (slice, split), a string that was joined into a longer one, and a string out of JSON.parse of up to 1,024 bytes have no buffer of their own, so they are copied.',
    fix: 'Join it once from two parts and read a character of it before sending: the flattened text has a buffer from 514 bytes on.',
    remedies: ['own-string'],
    source: WRITE_STRING,
  },
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/two-byte-copied',
    when: { kind: 'string', all: ['two-byte'], sizeFrom: TEXT_UNITS },
    scope: { channels: COPYING },
    costs: 'degraded',
    title: 'UTF-16 text over a port or into a database',
    why: 'Without a shared buffer UTF-16 text is written one code unit at a time, 8 to 25 ns each. What TextDecoder and fetch().text() give is stored so too, even when it is ASCII.',
    fix: 'Post it through the Worker itself, or send the bytes of a TextEncoder.',
    source: WRITE_UNITS,
  },
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/two-byte-short',
    when: { kind: 'string', all: ['two-byte'], none: ['bytes-from-514'], sizeFrom: TEXT_UNITS },
    scope: { channels: SHARING },
    costs: 'degraded',
    title: 'UTF-16 text too short to be shared',
    why: 'Strings of less than 514 bytes are copied, and UTF-16 text one code unit at a time, 8 to 25 ns each: 256 units cost more than a shared text of any length. What TextDecoder and fetch().text() give is stored so too, even when it is ASCII.',
    fix: 'Join many such texts into one long string, which is shared.',
    source: `${WRITE_UNITS} (256 units each: 8,791 us, 257 units: 501 us for the same batch)`,
  },
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/repeated-string',
    when: { kind: 'string', all: ['repeated'], none: ['bytes-from-514'] },
    title: 'repeated string',
    why: 'A string that is not shared is written in full each time it occurs; only objects are written once and referenced after that.',
    fix: 'Send each distinct text once and an index instead of each text.',
    remedies: ['compiled'],
    source: WRITE_STRING,
  },
] as const satisfies readonly Rule[];

const HAS_BUFFER = {
  what: 'share-or-copy',
  when: { kind: 'string', all: ['bytes-from-514'], none: ['substring'] },
  scope: { channels: SHARING, runtimes: { firefox: '>=137' } },
  source: WRITE_STRING,
} as const;

/** How Firefox stores a string: no API tells. */
export const stringUnknowns = [
  {
    ...HAS_BUFFER,
    at: 'root',
    on: ['string-shared'],
    otherwise: { path: 'string-copied', class: 'bulk', rule: 'spidermonkey/unshared-string' },
  },
  {
    ...HAS_BUFFER,
    at: 'nested',
    on: ['serializer'],
    otherwise: { path: 'string-copied', class: 'serialized', rule: 'spidermonkey/unshared-string' },
  },
  {
    what: 'string-width',
    at: 'any',
    when: { kind: 'string', none: ['two-byte'], sizeFrom: TEXT_UNITS },
    scope: { channels: COPYING },
    on: ['string-copied', 'serializer'],
    otherwise: { path: 'string-copied', class: 'degraded', rule: 'spidermonkey/two-byte-copied' },
    source: WRITE_UNITS,
  },
  {
    what: 'string-width',
    at: 'any',
    when: { kind: 'string', none: ['two-byte', 'bytes-from-514'], sizeFrom: TEXT_UNITS },
    scope: { channels: SHARING },
    on: ['string-copied', 'serializer'],
    otherwise: { path: 'string-copied', class: 'degraded', rule: 'spidermonkey/two-byte-short' },
    source: WRITE_UNITS,
  },
] as const satisfies readonly UnknownRow[];
