import type { Rule, When } from '../../model/rule.ts';

/** Refused since Node marks them uncloneable. */
const MARKED: readonly string[] = ['URL', 'URLSearchParams', 'Headers', 'Request', 'Response'];
const MARKED_IN_NODE: readonly string[] = [...MARKED, 'FormData', 'MessageEvent', 'URLPattern'];
/** Cloned to {} everywhere on V8. */
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

/** An instance of a user's class of the same name holds properties; these hold nothing that plain code can see. */
const marked: readonly When[] = [
  { kind: 'platform', tag: MARKED },
  { kind: 'object', all: ['class-instance'], tag: MARKED, sizeTo: 0 },
];
const markedInNode: readonly When[] = [
  { kind: 'platform', tag: MARKED_IN_NODE },
  { kind: 'object', all: ['class-instance'], tag: MARKED_IN_NODE, sizeTo: 0 },
];
const neverMarked: readonly When[] = [
  { kind: 'platform', tag: NEVER_MARKED },
  { kind: 'object', all: ['class-instance'], tag: NEVER_MARKED, sizeTo: 0 },
];

const EMPTIED = 'It arrives as an empty object: what it holds lives in private fields, which are not sent.';
const PARTS = 'Send what it is made of: url.href, [...headers], await response.arrayBuffer().';

export const platform = [
  {
    id: 'v8/platform-refused',
    level: 'rejected',
    at: 'any',
    when: markedInNode,
    scope: { runtimes: { node: '>=22.10.0' } },
    title: 'web object that cannot be cloned',
    why: 'Node marks URL, Headers, Request, Response and the like as uncloneable: posting one throws a DataCloneError.',
    fix: PARTS,
    remedies: ['plain'],
    source: 'nodejs/node#55234 (22.10, 23.0); seen on Node 22.23, 24.21 and 26.10',
  },
  {
    id: 'v8/platform-root-refused',
    level: 'rejected',
    at: 'root',
    when: marked,
    scope: { runtimes: { deno: '*' } },
    title: 'web object that cannot be cloned',
    why: 'Deno refuses URL, Headers, Request and Response as the message itself; inside one they silently become {}.',
    fix: PARTS,
    remedies: ['plain'],
    source: 'denoland/deno ext/web/13_message_port.js isUncloneable; seen on Deno 2.9.6',
  },
  {
    id: 'v8/platform-emptied-inside',
    level: 'lossy',
    at: 'nested',
    when: marked,
    scope: { runtimes: { deno: '*' } },
    title: 'web object that arrives empty',
    why: EMPTIED,
    fix: PARTS,
    remedies: ['plain'],
    source: 'denoland/deno ext/web/13_message_port.js isUncloneable; seen on Deno 2.9.6',
  },
  {
    id: 'v8/platform-emptied-early',
    level: 'lossy',
    at: 'any',
    when: markedInNode,
    scope: { runtimes: { node: '<22.10.0' } },
    title: 'web object that arrives empty',
    why: `${EMPTIED} From Node 22.10 on it is refused instead.`,
    fix: PARTS,
    remedies: ['plain'],
    source: 'nodejs/node#55234; seen on Node 20.20',
  },
  {
    id: 'v8/platform-emptied',
    level: 'lossy',
    at: 'any',
    when: neverMarked,
    scope: { runtimes: { node: '*', deno: '*' } },
    title: 'web object that arrives empty',
    why: EMPTIED,
    fix: 'Send the plain data that the other side needs.',
    remedies: ['plain'],
    source: 'seen on Node 20-26 and Deno 2.9.6',
  },
  {
    id: 'v8/deno-transfer-envelope',
    level: 'note',
    at: 'root',
    when: {},
    scope: { runtimes: { deno: '*' }, channels: ['worker', 'message-port'], transferring: true },
    title: 'transfer list given',
    why: 'With a transfer list Deno wraps the message in an envelope of its own, which is slower than a plain post.',
    fix: 'Post small messages without a transfer list.',
    remedies: [],
    source: 'denoland/deno#32657, ext/web/13_message_port.js',
  },
] as const satisfies readonly Rule[];
