import { type Rule, ruleTable, type When } from '../../model/rules/rule.ts';
import { ANYWHERE, IN_PROCESS } from './common.ts';
import { PLATFORM_POSTS } from './platform-posts.ts';

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
/** Classes of workerd whose objects RPC sends as references. */
export const REFERENCES: readonly string[] = ['RpcTarget', 'Fetcher'];
/** Classes whose objects even RPC does not send. */
export const NEVER_SENT: readonly string[] = [
  ...URLS,
  'MessageEvent',
  'URLPattern',
  ...FORM_DATA,
  ...NEVER_MARKED,
];
export const WITHOUT_CLONE_STEPS: readonly string[] = [...FETCHED, ...NEVER_SENT, ...REFERENCES];

/** The describing runtime decides the kind: not-cloneable if it refuses the object, an object if it arrives empty. */
export const WEB_OBJECT = { kind: ['platform', 'not-cloneable', 'object'] } as const satisfies When;
export const dataObject: When = { ...WEB_OBJECT, web: DATA };
export const urlObject: When = { ...WEB_OBJECT, web: URLS };
export const fetchedObject: When = { ...WEB_OBJECT, web: FETCHED };
export const markedObject: When = { ...WEB_OBJECT, web: MARKED_IN_NODE };
export const unmarkedObject: When = { ...WEB_OBJECT, web: NEVER_MARKED };
export const formData: When = { ...WEB_OBJECT, web: FORM_DATA };
/** An object of the platform that the describing runtime clones as an ordinary one, without its data. */
export const EMPTIED_HERE = { kind: 'object', all: ['web-object'], sizeTo: 0 } as const satisfies When;

export const EMPTIED = 'It arrives as an empty object: its data is in private fields, which are not sent.';
export const AS_PARTS = {
  fix: 'Send its data: url.href, [...headers], await response.arrayBuffer().',
  remedies: ['plain'],
} as const satisfies Partial<Rule>;
export const ARRIVES_EMPTY = {
  ...ANYWHERE.losesClass,
  title: 'web object that arrives empty',
  ...AS_PARTS,
} as const satisfies Partial<Rule>;

/** Rules about web objects, for runtimes that follow the standard, or nearly. */
export const platform = ruleTable(ANYWHERE.rejected, {
  'spec/platform-refused': {
    when: { ...WEB_OBJECT, web: [...REFUSED, ...NEVER_MARKED] },
    scope: { runtimes: { bun: '*', chromium: '*', firefox: '*', webkit: '*' } },
    title: 'web object that cannot be cloned',
    why: 'URL, Headers, Request, Response, events, signals and the like have no clone steps: posting one throws a DataCloneError. Node and Deno turn some of them into {}.',
    ...AS_PARTS,
    source: 'HTML StructuredSerializeInternal; seen on Bun 1.3.9 and 1.4.5',
  },
  'spec/form-data-refused': {
    when: formData,
    scope: { runtimes: { bun: '*', chromium: '*', webkit: '*' } },
    title: 'FormData that cannot be cloned',
    why: 'FormData has no clone steps in the standard: posting it throws a DataCloneError. Firefox clones it.',
    fix: 'Send its entries: [...form].',
    remedies: ['plain'],
    source:
      'HTML StructuredSerializeInternal; seen on Bun 1.4.5, Chromium 156, WebKitGTK 2.50 and Firefox 153',
  },
});

const posted = PLATFORM_POSTS;
/** A platform object that the describing runtime can clone or transfer. */
export const THERE = { kind: 'platform' } as const satisfies When;
/** The user's classes with such a name are subclasses of Error, so they are excluded. */
export const OF_PLATFORM = { kind: 'error', none: ['subclass'] } as const satisfies When;
export const EMPTIED_THERE: readonly When[] = [
  { ...THERE, posted: { by: posted, all: ['emptied'] } },
  { ...EMPTIED_HERE, posted: { by: posted, all: ['emptied'] } },
];

const STREAMS: readonly string[] = ['ReadableStream', 'WritableStream', 'TransformStream'];

/** Advice in the syntax of each worker library. */
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

export const platformObjects = ruleTable(ANYWHERE.rejected, {
  'spec/needs-transfer': {
    when: { ...THERE, notTag: STREAMS, posted: { by: posted, all: ['moved'], none: ['cloned'] } },
    scope: { transferring: false, channels: IN_PROCESS },
    title: 'port or canvas that must be transferred',
    why: 'Ports, data channels and an OffscreenCanvas cannot be copied, only transferred: without a transfer list the post throws.',
    ...LISTED,
    source:
      'HTML StructuredSerializeWithTransfer; seen on Node 20-26, Deno 2.9, Bun 1.4.5, Chromium 143, Firefox 153 and WebKitGTK 2.50',
  },
  'spec/platform-object-refused': {
    when: [
      { ...THERE, notTag: STREAMS, posted: { by: posted, all: ['refused'] } },
      { ...OF_PLATFORM, posted: { by: posted, all: ['refused'] } },
    ],
    // Modules of WebAssembly in Bun have a separate rule.
    scope: {
      runtimes: { node: '*', deno: '*', workerd: '*', chromium: '*', firefox: '*', webkit: '*' },
      channels: [...IN_PROCESS, 'rpc'],
    },
    title: 'platform object that is refused here',
    why: 'This runtime can post no such object over this channel, though a specification has steps for it: the post throws a DataCloneError.',
    fix: 'Send its data, or make the object on the receiver.',
    source:
      'seen on Chromium 143 (tracks), Firefox 153 (tracks; data channels to a window), WebKitGTK 2.50 (shared WebAssembly memory to a window)',
  },
  'spec/message-lost': {
    when: { ...THERE, posted: { by: posted, all: ['lost'] } },
    scope: { channels: IN_PROCESS },
    title: 'platform object that the receiver cannot read',
    why: 'The post does not throw, and nothing of the message arrives: null, or an event messageerror. Chromium does so with media, modules and shared memory in a broadcast, and in a message of an extension; all browsers do so with most of these to a service worker; workers, service workers too, have no RTCCertificate, which arrives over a port that stays in the page, and in a window.',
    fix: 'Post it over another channel, or send its data.',
    source: 'seen on Chromium 143 and 156, Firefox 153 and WebKitGTK 2.50',
  },
  'spec/platform-object-emptied': {
    ...ANYWHERE.losesClass,
    when: EMPTIED_THERE,
    scope: { runtimes: { deno: '*' }, channels: IN_PROCESS },
    title: 'platform object that arrives empty',
    why: 'Deno has the class without its clone steps: {} arrives, without an error.',
    fix: 'Send its fields as a plain object, and the buffer of its pixels.',
    source: 'seen on Deno 2.5 and 2.9.6',
  },
  'spec/other-class': {
    ...ANYWHERE.lossy,
    when: [
      { ...THERE, posted: { by: posted, all: ['other-class'] } },
      { ...OF_PLATFORM, posted: { by: posted, all: ['other-class'] } },
    ],
    loses: ['class', 'value'],
    scope: { runtimes: { deno: '*', webkit: '*' }, channels: IN_PROCESS },
    title: 'platform object of a derived class',
    why: 'It arrives as an object of the class above its own: a CanvasCaptureMediaStreamTrack as a MediaStreamTrack, a QuotaExceededError of Deno as a DOMException.',
    fix: 'Send what the derived class adds beside it.',
    source: 'seen on WebKitGTK 2.50 and Deno 2.9.6',
  },
  'spec/platform-identity': {
    ...ANYWHERE.losesValue,
    when: { kind: 'platform', all: ['repeated'], posted: { by: posted, all: ['apart'] } },
    scope: { runtimes: { bun: '>=1.4.0', webkit: '*' }, channels: IN_PROCESS },
    title: 'platform object that is sent twice',
    why: 'Each reference to it arrives as an object of its own.',
    fix: 'Send it once and refer to it by a key.',
    source: 'seen on WebKitGTK 2.50 (most classes) and Bun 1.4.5 (WebAssembly modules and memory)',
  },
  'spec/stream-needs-transfer': {
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
  'spec/stream-refused': {
    when: { kind: ['platform', 'not-cloneable'], tag: STREAMS },
    scope: { runtimes: { bun: '*', webkit: '*' }, channels: IN_PROCESS },
    title: 'stream that can be neither copied nor transferred',
    why: 'This engine does not transfer streams: the post throws, with a transfer list too.',
    fix: 'Transfer a MessagePort, and post the chunks over it.',
    source: 'seen on Bun 1.4.5 and WebKitGTK 2.50',
  },
});
