import type { Rule, When } from '../../model/rules/rule.ts';
import { IN_PROCESS } from './common.ts';

/** Web objects that hold their data in internal slots and have no clone steps in the standard. */
const URLS: readonly string[] = ['URL', 'URLSearchParams'];
const FETCHED: readonly string[] = ['Headers', 'Request', 'Response'];
const DATA: readonly string[] = [...URLS, ...FETCHED];
const FORM_DATA: readonly string[] = ['FormData'];
const REFUSED: readonly string[] = [...DATA, 'MessageEvent', 'URLPattern'];
const MARKED_IN_NODE: readonly string[] = [...FETCHED, 'MessageEvent', 'URLPattern', ...FORM_DATA];
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
export const WITHOUT_CLONE_STEPS: readonly string[] = [...URLS, ...MARKED_IN_NODE, ...NEVER_MARKED];

/**
 * The kind of such an object depends on the runtime that described it: not-cloneable where it is refused, an object where
 * it arrives empty. One with properties of its own was only given the prototype.
 */
export const dataObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: DATA },
  { kind: 'object', all: ['web-object'], tag: DATA, sizeTo: 0 },
];
export const urlObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: URLS },
  { kind: 'object', all: ['web-object'], tag: URLS, sizeTo: 0 },
];
export const fetchedObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: FETCHED },
  { kind: 'object', all: ['web-object'], tag: FETCHED, sizeTo: 0 },
];
export const markedObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: MARKED_IN_NODE },
  { kind: 'object', all: ['web-object'], tag: MARKED_IN_NODE, sizeTo: 0 },
];
export const unmarkedObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: NEVER_MARKED },
  { kind: 'object', all: ['web-object'], tag: NEVER_MARKED, sizeTo: 0 },
];

export const EMPTIED = 'It arrives as an empty object: its data is in private fields, which are not sent.';
export const PARTS = 'Send its data: url.href, [...headers], await response.arrayBuffer().';

const STREAMS: readonly string[] = ['ReadableStream', 'WritableStream', 'TransformStream'];

/** As the worker libraries have it. */
const LISTED = {
  fix: 'List it in the transfer list.',
  fixIn: {
    comlink: 'Pass it as Comlink.transfer(value, [port]).',
    piscina: 'List it: pool.run(value, { transferList: [port] }).',
    tinypool: 'List it: pool.run(value, { transferList: [port] }).',
    threads: 'Pass it as Transfer(value, [port]).',
    workerpool: "List it: pool.exec('run', [value], { transfer: [port] }).",
  },
} as const satisfies Partial<Rule>;

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
    when: { kind: 'platform', tag: ['MessagePort'] },
    scope: { transferring: false, channels: IN_PROCESS },
    title: 'port that must be transferred',
    why: 'Ports cannot be copied, only transferred: without a transfer list the post throws.',
    ...LISTED,
    source: 'HTML StructuredSerializeWithTransfer; seen on Node 20-26, Deno 2.9, Bun 1.4.5',
  },
  {
    id: 'spec/stream-needs-transfer',
    level: 'rejected',
    at: 'any',
    when: { kind: 'platform', tag: STREAMS },
    scope: {
      runtimes: { node: '*', deno: '*', chromium: '*', firefox: '*' },
      transferring: false,
      channels: IN_PROCESS,
    },
    title: 'stream that must be transferred',
    why: 'Streams cannot be copied, only transferred: without a transfer list the post throws.',
    ...LISTED,
    source: 'HTML StructuredSerializeWithTransfer; seen on Node 20-26 and Deno 2.9',
  },
  {
    id: 'spec/stream-refused',
    level: 'rejected',
    at: 'any',
    when: { kind: ['platform', 'not-cloneable'], tag: STREAMS },
    scope: { runtimes: { bun: '*', webkit: '*' }, channels: IN_PROCESS },
    title: 'stream that can be neither copied nor transferred',
    why: 'This engine does not transfer streams: the post throws, with a transfer list too.',
    fix: 'Transfer a MessagePort, and post the chunks over it.',
    source: 'seen on Bun 1.4.5 and WebKitGTK 2.50',
  },
] as const satisfies readonly Rule[];
