import type { Rule } from '../../../model/rules/rule.ts';
import { ANYWHERE } from '../../standard/common.ts';
import { AS_PARTS, markedObject, urlObject } from '../../standard/platform.ts';

const TO_FILE = {
  scope: { channels: ['storage'] },
  source:
    'Node lib/v8.js DefaultSerializer, DefaultDeserializer; seen on Node 20.20 to 26.10, Deno 2.5 to 2.9.6',
} as const satisfies Partial<Rule>;
const VIEW = ['typedarray', 'dataview'] as const;

/** Rules for v8.serialize into a file: its delegate writes only the bytes of views, and no platform objects. */
export const storage = [
  {
    ...ANYWHERE.rejected,
    ...TO_FILE,
    id: 'v8/shared-to-file',
    when: [{ kind: 'sharedarraybuffer' }],
    title: 'SharedArrayBuffer into a file',
    why: 'A SharedArrayBuffer is refused by v8.serialize; a view on one is written as its bytes.',
    fix: 'Write a copy: new Uint8Array(shared).slice().',
    remedies: ['plain'],
  },
  {
    ...ANYWHERE.note,
    ...TO_FILE,
    id: 'v8/view-to-file',
    when: { kind: VIEW, all: ['view-of-larger'] },
    title: 'view, written alone',
    why: 'Only the bytes that the view shows are written, not the whole buffer behind it.',
  },
  {
    ...ANYWHERE.note,
    ...TO_FILE,
    id: 'v8/view-into-file',
    when: { kind: VIEW },
    title: 'view that is read into the file',
    why: 'Where the bytes are aligned, v8.deserialize gives a view into those of the whole file: its buffer holds other bytes too, and all of them stay in memory.',
    fix: 'Use byteOffset and byteLength beside buffer, or copy the view: view.slice().',
  },
  {
    ...ANYWHERE.lossy,
    ...TO_FILE,
    id: 'v8/shared-view-to-file',
    when: { kind: VIEW, all: ['shared-backing'] },
    loses: 'value',
    title: 'view on shared memory into a file',
    why: 'Its bytes are read back as a copy, in memory that is not shared.',
  },
  {
    ...ANYWHERE.note,
    ...TO_FILE,
    id: 'v8/resizable-view-to-file',
    when: { kind: VIEW, all: ['resizable'], none: ['shared-backing'] },
    loses: 'value',
    title: 'view on a resizable buffer into a file',
    why: 'Its bytes are read back in a buffer of fixed length.',
  },
  {
    ...ANYWHERE.lossy,
    ...TO_FILE,
    id: 'v8/web-object-to-file',
    when: [...urlObject, ...markedObject],
    loses: ['class', 'property', 'getter'],
    title: 'web object into a file',
    why: 'The data of URL, Headers and the like is unknown to v8.serialize: {} is read back, without an error, also where a post refuses them.',
    ...AS_PARTS,
  },
] as const satisfies readonly Rule[];
