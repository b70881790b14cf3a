import type { Rule, When } from '../../model/rules/rule.ts';
import { IN_PROCESS } from './common.ts';

/** Web objects that hold their data in internal slots and have no clone steps in the standard. */
const DATA: readonly string[] = ['URL', 'URLSearchParams', 'Headers', 'Request', 'Response'];
const FORM_DATA: readonly string[] = ['FormData'];
const REFUSED: readonly string[] = [...DATA, 'MessageEvent', 'URLPattern'];
const MARKED_IN_NODE: readonly string[] = [...REFUSED, ...FORM_DATA];
const NEVER_MARKED: readonly string[] = [
  'Event',
  'CustomEvent',
  'EventTarget',
  'AbortController',
  'AbortSignal',
  'TextEncoder',
  'TextDecoder',
  'BroadcastChannel',
  'PerformanceObserver',
  'CompressionStream',
  'DecompressionStream',
  'Crypto',
];
export const WITHOUT_CLONE_STEPS: readonly string[] = [...MARKED_IN_NODE, ...NEVER_MARKED];

/**
 * The kind of such an object depends on the runtime that described it: not-cloneable where it is refused, an object where
 * it arrives empty. One with properties of its own was only given the prototype.
 */
export const dataObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: DATA },
  { kind: 'object', all: ['web-object'], tag: DATA, sizeTo: 0 },
];
export const markedObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: MARKED_IN_NODE },
  { kind: 'object', all: ['web-object'], tag: MARKED_IN_NODE, sizeTo: 0 },
];
export const unmarkedObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: NEVER_MARKED },
  { kind: 'object', all: ['web-object'], tag: NEVER_MARKED, sizeTo: 0 },
];

export const PARTS = 'Send its data: url.href, [...headers], await response.arrayBuffer().';

/** Web objects where the standard is followed, or nearly. */
export const platform = [
  {
    id: 'spec/platform-refused',
    level: 'rejected',
    at: 'any',
    when: [
      { kind: ['platform', 'not-cloneable'], tag: REFUSED },
      { kind: 'object', all: ['web-object'], tag: REFUSED, sizeTo: 0 },
      ...unmarkedObject,
    ],
    scope: { runtimes: { bun: '*', chromium: '*', firefox: '*', webkit: '*' } },
    title: 'web object that cannot be cloned',
    why: 'URL, Headers, Request, Response, events, signals and the like have no clone steps: posting one throws a DataCloneError. Node and Deno turn some of them into {}.',
    fix: PARTS,
    remedies: ['plain'],
    source: 'HTML StructuredSerializeInternal; seen on Bun 1.3.9 and 1.4.5',
  },
  {
    id: 'spec/form-data-refused',
    level: 'rejected',
    at: 'any',
    when: [
      { kind: ['platform', 'not-cloneable'], tag: FORM_DATA },
      { kind: 'object', all: ['web-object'], tag: FORM_DATA, sizeTo: 0 },
    ],
    scope: { runtimes: { bun: '*', chromium: '*', webkit: '*' } },
    title: 'FormData that cannot be cloned',
    why: 'FormData has no clone steps in the standard: posting it throws a DataCloneError. Firefox clones it.',
    fix: 'Send its entries: [...form].',
    remedies: ['plain'],
    source:
      'HTML StructuredSerializeInternal; seen on Bun 1.4.5, Chromium 156, WebKitGTK 2.50 and Firefox 153',
  },
  {
    id: 'spec/needs-transfer',
    level: 'rejected',
    at: 'any',
    when: { kind: 'platform', tag: ['MessagePort', 'ReadableStream', 'WritableStream', 'TransformStream'] },
    scope: { transferring: false, channels: IN_PROCESS },
    title: 'object that must be transferred',
    why: 'Ports and streams cannot be copied, only transferred: without a transfer list the post throws.',
    fix: 'List it in the transfer list.',
    source: 'HTML StructuredSerializeWithTransfer; seen on Node 20-26, Deno 2.9, Bun 1.4.5',
  },
] as const satisfies readonly Rule[];
