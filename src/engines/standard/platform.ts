import type { Channel } from '../../model/names.ts';
import type { Rule, When } from '../../model/rule.ts';

/** Channels whose messages stay in the process. */
export const IN_PROCESS: readonly Channel[] = ['worker', 'message-port', 'structured-clone', 'broadcast'];

/** Web objects that hold their data in internal slots and have no clone steps in the standard. */
export const DATA: readonly string[] = ['URL', 'URLSearchParams', 'Headers', 'Request', 'Response'];
export const MARKED_IN_NODE: readonly string[] = [...DATA, 'FormData', 'MessageEvent', 'URLPattern'];
export const NEVER_MARKED: readonly string[] = [
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
 * The same object wherever the shape was described: where it is refused it is called not-cloneable, where it arrives
 * empty an instance of a class. An instance of a user's class of that name holds properties; these show none.
 */
export const dataObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: DATA },
  { kind: 'object', all: ['class-instance'], tag: DATA, sizeTo: 0 },
];
export const markedObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: MARKED_IN_NODE },
  { kind: 'object', all: ['class-instance'], tag: MARKED_IN_NODE, sizeTo: 0 },
];
export const unmarkedObject: readonly When[] = [
  { kind: ['platform', 'not-cloneable'], tag: NEVER_MARKED },
  { kind: 'object', all: ['class-instance'], tag: NEVER_MARKED, sizeTo: 0 },
];

export const PARTS = 'Send what it is made of: url.href, [...headers], await response.arrayBuffer().';

/** Where the standard is followed, or nearly. */
export const platform = [
  {
    id: 'spec/platform-refused',
    level: 'rejected',
    at: 'any',
    when: [...markedObject, ...unmarkedObject],
    scope: { runtimes: { bun: '*', chromium: '*', firefox: '*', webkit: '*' } },
    title: 'web object that cannot be cloned',
    why: 'URL, Headers, Request, Response, events, signals and the like have no clone steps: posting one throws a DataCloneError. Node and Deno turn some of them into {}.',
    fix: PARTS,
    remedies: ['plain'],
    source: 'HTML StructuredSerializeInternal; seen on Bun 1.3.9 and 1.4.5',
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
    remedies: [],
    source: 'HTML StructuredSerializeWithTransfer; seen on Node 20-26, Deno 2.9, Bun 1.4.5',
  },
] as const satisfies readonly Rule[];
