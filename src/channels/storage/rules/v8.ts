import { ANYWHERE, SHARED_REFUSED } from '../../../engines/standard/common.ts';
import { AS_PARTS, markedObject, urlObject } from '../../../engines/standard/platform.ts';
import { type Rule, ruleTable } from '../../../model/rules/rule.ts';

const VIEW = ['typedarray', 'dataview'] as const;

const TO_FILE = {
  ...ANYWHERE.note,
  scope: { channels: ['storage'] },
  source:
    'Node lib/v8.js DefaultSerializer, DefaultDeserializer; seen on Node 20.20 to 26.10, Deno 2.5 to 2.9.6',
} as const satisfies Partial<Rule>;

/** Rules for v8.serialize into a file: its delegate writes only the bytes of views, and no platform objects. */
export const storage = ruleTable(TO_FILE, {
  'v8/shared-to-file': {
    ...SHARED_REFUSED,
    when: [{ kind: 'sharedarraybuffer' }],
    title: 'SharedArrayBuffer into a file',
    why: 'A SharedArrayBuffer is refused by v8.serialize; a view on one is written as its bytes.',
    fix: 'Write a copy: new Uint8Array(shared).slice().',
  },
  'v8/view-to-file': {
    when: { kind: VIEW, all: ['view-of-larger'] },
    title: 'view, written alone',
    why: 'Only the bytes that the view shows are written, not the whole buffer behind it.',
  },
  'v8/view-into-file': {
    when: { kind: VIEW },
    title: 'view that is read into the file',
    why: 'Where the bytes are aligned, v8.deserialize gives a view into those of the whole file: its buffer holds other bytes too, and all of them stay in memory.',
    fix: 'Use byteOffset and byteLength beside buffer, or copy the view: view.slice().',
  },
  'v8/shared-view-to-file': {
    ...ANYWHERE.losesValue,
    when: { kind: VIEW, all: ['shared-backing'] },
    title: 'view on shared memory into a file',
    why: 'Its bytes are read back as a copy, in memory that is not shared.',
  },
  'v8/resizable-view-to-file': {
    when: { kind: VIEW, all: ['resizable'], none: ['shared-backing'] },
    loses: 'value',
    title: 'view on a resizable buffer into a file',
    why: 'Its bytes are read back in a buffer of fixed length.',
  },
  'v8/web-object-to-file': {
    ...ANYWHERE.lossy,
    when: [urlObject, markedObject],
    loses: ['class', 'property', 'getter'],
    title: 'web object into a file',
    why: 'The data of URL, Headers and the like is unknown to v8.serialize: {} is read back, without an error, also where a post refuses them.',
    ...AS_PARTS,
  },
});
