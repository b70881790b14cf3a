import type { Rule } from '../../model/rules/rule.ts';
import { ANYWHERE } from '../standard/common.ts';

const WRITE_STRING = 'V8 src/objects/value-serializer.cc WriteString; seen on Node 20-26 and Deno 2.9';

export const strings = [
  {
    ...ANYWHERE.note,
    id: 'v8/two-byte-string',
    when: { kind: 'string', all: ['two-byte'], none: ['ascii-in-two-byte'], sizeFrom: 1024 },
    title: 'UTF-16 string',
    why: 'One character outside Latin-1 makes the whole string two bytes per code unit, in memory and in the message.',
    source: WRITE_STRING,
  },
  {
    ...ANYWHERE.slow,
    id: 'v8/ascii-in-two-byte',
    when: { kind: 'string', all: ['ascii-in-two-byte'] },
    // Nothing tells a page of Chromium.
    scope: { runtimes: { node: '*', deno: '*', electron: '*' } },
    blocks: ['one-byte-string'],
    title: 'Latin-1 text in UTF-16 storage',
    why: 'A piece of a UTF-16 string stays UTF-16 although every character would fit one byte, so twice the bytes are copied, and again when the receiver sends the text on.',
    fix: "Copy the piece into a string of its own: Buffer.from(text, 'latin1').toString('latin1').",
    remedies: ['own-string'],
    source: WRITE_STRING,
  },
  {
    ...ANYWHERE.note,
    id: 'v8/rope',
    when: { kind: 'string', all: ['rope'] },
    title: 'concatenation, joined when first sent',
    why: 'A string built with + or a template is joined into one buffer by the first send: an extra copy, once.',
    remedies: ['own-string'],
    source: 'V8 src/objects/string.cc SlowFlatten; value-serializer.cc WriteString',
  },
  {
    ...ANYWHERE.slow,
    id: 'v8/repeated-string',
    when: { kind: 'string', all: ['repeated'] },
    title: 'repeated string',
    why: 'V8 writes a string in full each time it occurs; only objects are written once and referenced after that.',
    fix: 'Send each distinct text once and an index instead of each text.',
    remedies: ['compiled'],
    source: 'V8 src/objects/value-serializer.cc, the id map holds JSReceivers only; seen on Node 20-26',
  },
  {
    ...ANYWHERE.note,
    id: 'v8/long-string',
    when: { kind: 'string', sizeFrom: 65_536 },
    scope: { runtimes: { node: '*', deno: '*', electron: '*', chromium: '*' } },
    on: [
      'one-byte-string',
      'two-byte-string',
      'packed-array',
      'holey-array',
      'fast-object',
      'dictionary-object',
      'serializer',
    ],
    title: 'long string, copied twice',
    why: 'V8 never shares a string between threads: it is copied into the message and out again, so it exists three times for a moment.',
    fix: 'Where the text is bytes anyway (a file, a response), send the bytes and transfer their buffer.',
    source: `${WRITE_STRING}; nodejs/help#2598`,
  },
] as const satisfies readonly Rule[];
