import { CHANNELS, type Channel, ELECTRON_CHANNELS } from '../../model/names.ts';
import { type LossKind, type Rule, ruleTable, type When } from '../../model/rules/rule.ts';
import { PLATFORM_POSTS } from './platform-posts.ts';
import { ANYWHERE, OVER } from './row-parts.ts';

/** Web objects that hold their data in internal slots and have no clone steps in the standard. */
const URLS: readonly string[] = ['URL', 'URLSearchParams'];
const FETCHED: readonly string[] = ['Headers', 'Request', 'Response'];
const DATA: readonly string[] = [...URLS, ...FETCHED];
const FORM_DATA: readonly string[] = ['FormData'];
const REFUSED: readonly string[] = [...DATA, 'MessageEvent', 'URLPattern'];
const MARKED_IN_NODE: readonly string[] = [...FETCHED, 'MessageEvent', 'URLPattern', ...FORM_DATA];
const NEVER_MARKED: readonly string[] = [
  ...['Event', 'CustomEvent', 'EventTarget', 'AbortController', 'AbortSignal', 'TextEncoder', 'TextDecoder'],
  ...['BroadcastChannel', 'PerformanceObserver', 'CompressionStream', 'DecompressionStream', 'Crypto'],
];
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
const dataObject: When = { ...WEB_OBJECT, web: DATA };
const urlObject: When = { ...WEB_OBJECT, web: URLS };
const fetchedObject: When = { ...WEB_OBJECT, web: FETCHED };
const markedObject: When = { ...WEB_OBJECT, web: MARKED_IN_NODE };
const unmarkedObject: When = { ...WEB_OBJECT, web: NEVER_MARKED };
const formData: When = { ...WEB_OBJECT, web: FORM_DATA };
/** An object of the platform that the describing runtime clones as an ordinary one, without its data. */
const EMPTIED_HERE = { kind: 'object', all: ['web-object'], sizeTo: 0 } as const satisfies When;

const PARTS = 'Send its data: url.href, [...headers], [...form], await response.arrayBuffer()';

export const AS_PARTS = {
  fix: `${PARTS}.`,
  remedies: ['plain'],
} as const satisfies Partial<Rule>;

const posted = PLATFORM_POSTS;
/** A platform object that the describing runtime can clone or transfer. */
const THERE = { kind: 'platform' } as const satisfies When;
/** The user's classes with such a name are subclasses of Error, so they are excluded. */
const OF_PLATFORM = { kind: 'error', none: ['subclass'] } as const satisfies When;
const EMPTIED_THERE: readonly When[] = [
  { ...THERE, posted: { by: posted, all: ['emptied'] } },
  { ...EMPTIED_HERE, posted: { by: posted, all: ['emptied'] } },
];

const OF_EMPTIED: readonly LossKind[] = ['class', 'property', 'getter'];
const CLONE: readonly Channel[] = ['structured-clone'];
const DENO_PORTS: readonly Channel[] = ['message-port', 'node-worker'];
const DENO_OTHERS: readonly Channel[] = ['worker', 'broadcast', 'ipc-advanced', 'storage'];
/** Versions of Node that mark web objects as uncloneable. */
const ON_MARK = '>=22.12.0 <23.0.0 || >=23.3.0';

export const emptied = ruleTable(ANYWHERE.losesClass, {
  'v8/platform-emptied': {
    title: 'web object that arrives empty',
    why: 'It arrives as an empty object: its data is in private fields, which are not sent. So does a DOMException where it is not a native error: in Node 20, 22 before 22.20 and 24.0, in Deno before 2.7, and in Electron.',
    ...AS_PARTS,
    fix: `${PARTS}, name and message of a DOMException.`,
    source:
      'nodejs/node#55234; denoland/deno ext/web/13_message_port.js isUncloneable; Node lib/internal/child_process/serialization.js; seen on Node 20-26, Deno 2.5-2.9.6 and Electron 33.2; a DOMException on Node 20.20, 22.12, 24.0, Deno 2.0 and Electron 33.2 (empty), Node 22.20, 24.21, 26.10 and Deno 2.7 (whole)',
    when: unmarkedObject,
    scope: { runtimes: { node: '*', deno: '*' } },
    also: [
      {
        loses: OF_EMPTIED,
        when: [urlObject, markedObject, unmarkedObject],
        scope: { channels: ELECTRON_CHANNELS },
      },
      {
        loses: OF_EMPTIED,
        when: [urlObject, markedObject, { ...THERE, notTag: ['Module', 'Memory', 'FileHandle'] }],
        scope: { runtimes: { node: '*', deno: '>=2.8.0' }, channels: ['ipc-advanced'] },
      },
      {
        loses: OF_EMPTIED,
        when: [urlObject, markedObject],
        scope: { runtimes: { node: '*', deno: '*' }, channels: ['storage'] },
      },
      {
        // A DOMException that is no native error.
        loses: 'value',
        when: { kind: 'object', all: ['class-instance', 'non-enumerable'], tag: ['DOMException'] },
        scope: { runtimes: { node: '*', deno: '*', electron: '*' }, channels: CHANNELS },
      },
      { when: urlObject, scope: { runtimes: { node: '<21.0.0' } } },
      { when: markedObject, scope: { runtimes: { node: '<22.12.0 || >=23.0.0 <23.3.0' } } },
      { at: 'root', when: dataObject, scope: { runtimes: { deno: '<2.9.2' }, channels: DENO_PORTS } },
      { at: 'root', when: urlObject, scope: { runtimes: { deno: '<2.9.1' }, channels: CLONE } },
      { at: 'root', when: fetchedObject, scope: { runtimes: { deno: '<2.7.0' }, channels: CLONE } },
      { at: 'root', when: dataObject, scope: { runtimes: { deno: '*' }, channels: DENO_OTHERS } },
      { at: 'nested', when: dataObject, scope: { runtimes: { deno: '*' } } },
    ],
  },
});

const BLOBS: readonly string[] = ['Blob', 'File'];
const WRITTEN_DATA = {
  storage:
    'Write its data: await blob.bytes(), await crypto.subtle.exportKey(format, key), name and message.',
} as const satisfies Rule['fixIn'];

const TO_RENDERER =
  'Send its bytes: await blob.bytes(). Ports of MessageChannelMain go into the transfer list of webContents.postMessage.';
export const BYTES_OF_CODE = 'Send the bytes that it was compiled from.';

const OTHER_CLASS = { by: posted, all: ['other-class'] } as const satisfies When['posted'];
const STREAMS: readonly string[] = ['ReadableStream', 'WritableStream', 'TransformStream'];

export const platform = ruleTable(ANYWHERE.rejected, {
  // Deno refuses some as the message itself, but never inside a message.
  'spec/platform-refused': {
    title: 'web object that cannot be cloned',
    why: 'URL, Headers, Request, Response, FormData, events, signals and the like have no clone steps: posting one throws a DataCloneError. Firefox clones a FormData, but does not store it in IndexedDB. Node and Deno turn some of them into {}, Deno all that are not the message itself.',
    ...AS_PARTS,
    source:
      'HTML StructuredSerializeInternal; nodejs/node#55234; denoland/deno ext/web/13_message_port.js isUncloneable; seen on Node 20-26, Deno 2.5-2.9.6, Bun 1.4.5, Chromium 156, Firefox 153 and WebKitGTK 2.50',
    when: { ...WEB_OBJECT, web: [...REFUSED, ...NEVER_MARKED] },
    scope: { runtimes: { bun: '*', chromium: '*', firefox: '*', webkit: '*' } },
    also: [
      { when: formData, scope: { runtimes: { bun: '*', chromium: '*', webkit: '*' } } },
      { when: formData, scope: { runtimes: { firefox: '*' }, channels: ['indexeddb'] } },
      { when: urlObject, scope: { runtimes: { node: '>=21.0.0' }, channels: OVER.inProcess } },
      { when: markedObject, scope: { runtimes: { node: ON_MARK }, channels: OVER.inProcess } },
      { at: 'root', when: dataObject, scope: { runtimes: { deno: '>=2.9.2' }, channels: DENO_PORTS } },
      { at: 'root', when: urlObject, scope: { runtimes: { deno: '>=2.9.1' }, channels: CLONE } },
      { at: 'root', when: fetchedObject, scope: { runtimes: { deno: '>=2.7.0' }, channels: CLONE } },
    ],
  },
  'spec/needs-transfer': {
    when: { ...THERE, posted: { by: posted, all: ['moved'], none: ['cloned'] } },
    scope: { transferring: false, channels: OVER.inProcess },
    title: 'port, stream or canvas that must be transferred',
    why: 'Ports, data channels, streams and an OffscreenCanvas cannot be copied, only transferred: without a transfer list the post throws.',
    fix: 'List it in the transfer list.',
    fixIn: {
      comlink: 'Pass it as Comlink.transfer(value, [port]).',
      piscina: 'List it: pool.run(value, { transferList: [port] }).',
      tinypool: 'List it: pool.run(value, { transferList: [port] }).',
      threads: 'Pass it as Transfer(value, [port]).',
      workerpool: "List it: pool.exec('run', [value], { transfer: [port] }).",
    },
    source:
      'HTML StructuredSerializeWithTransfer; seen on Node 20-26, Deno 2.9, Bun 1.4.5, Chromium 143, Firefox 153 and WebKitGTK 2.50',
  },
  'spec/platform-object-refused': {
    when: [
      { ...THERE, notTag: STREAMS, posted: { by: posted, all: ['refused'] } },
      { ...OF_PLATFORM, posted: { by: posted, all: ['refused'] } },
    ],
    scope: { channels: [...OVER.inProcess, 'rpc'], exceptOn: { electron: '*' } },
    also: [
      {
        // Where streams can be moved, but not over this channel; other runtimes have their own rules of streams.
        when: { ...THERE, tag: STREAMS, posted: { by: posted, all: ['refused'] } },
        scope: { runtimes: { node: '*', deno: '*', chromium: '*', firefox: '*' }, channels: OVER.inProcess },
      },
      {
        when: [
          { ...THERE, posted: { by: posted, all: ['refused'] } },
          { ...OF_PLATFORM, posted: { by: posted, all: ['refused'] } },
        ],
        scope: { channels: [...ELECTRON_CHANNELS, 'storage', 'indexeddb'] },
      },
      {
        when: [
          { kind: ['platform', 'not-cloneable'], tag: ['Module'] },
          { kind: 'platform', tag: ['Memory'] },
        ],
        scope: { channels: ['ipc-advanced'] },
      },
    ],
    title: 'platform object that is refused here',
    why: 'A specification has steps for it, but this runtime has none over this channel: the call throws. What lives in memory alone has no form in a file, a database, another process or a renderer of Electron, whose webContents.send prints the error. Node does send a module of WebAssembly, and the process that gets it ends.',
    fix: 'Send its data, or make the object on the receiver.',
    fixIn: {
      ...WRITTEN_DATA,
      indexeddb: 'Put its data: the bytes of code, a Blob of pixels or of a chunk.',
      'ipc-advanced': 'Send a copy of the bytes. Code is compiled there: await WebAssembly.compile(bytes).',
      'electron-ipc': TO_RENDERER,
      'electron-port': TO_RENDERER,
    },
    source:
      'HTML StructuredSerializeForStorage; Electron shell/common/v8_util.cc V8Serializer; seen on Node 20.20 to 26.10, Deno 2.5 to 2.9.6, Electron 33.2, Chromium 143 (tracks), Firefox 153 (tracks; data channels to a window), WebKitGTK 2.50 (shared WebAssembly memory to a window), Bun 1.2.20-1.3.14 (structuredClone of WebAssembly modules and memory)',
  },
  'spec/message-lost': {
    when: { ...THERE, notTag: BLOBS, posted: { by: posted, all: ['lost'] } },
    scope: { channels: [...OVER.inProcess, ...ELECTRON_CHANNELS, 'storage'] },
    also: [{ at: 'nested', when: { ...THERE, tag: BLOBS, posted: { by: posted, all: ['lost'] } } }],
    title: 'platform object that the receiver cannot read',
    why: 'The call does not throw, and nothing of the message arrives: null, or an event messageerror; v8.deserialize throws. Chromium does so with media, modules and shared memory in a broadcast, and in a message of an extension; all browsers do so with most of these to a service worker; workers, service workers too, have no RTCCertificate, which arrives over a port that stays in the page, and in a window.',
    fix: 'Post it over another channel, or send its data.',
    fixIn: { ...WRITTEN_DATA, 'electron-ipc': BYTES_OF_CODE, 'electron-port': BYTES_OF_CODE },
    source:
      'seen on Chromium 143 and 156, Firefox 153, WebKitGTK 2.50, Electron 33.2, Node 20.20 to 26.10 and Bun 1.2.20 to 1.2.21',
  },
  'spec/platform-object-emptied': {
    ...ANYWHERE.losesClass,
    when: EMPTIED_THERE,
    scope: { runtimes: { deno: '*' }, channels: OVER.inProcess },
    also: [{ loses: OF_EMPTIED, scope: { channels: ['storage'] } }],
    title: 'platform object that arrives empty',
    why: 'It arrives as {}, without an error: v8.serialize does not know the state of such objects, and Deno has some classes without their clone steps.',
    fix: 'Send its fields as a plain object, and the buffer of its pixels.',
    fixIn: WRITTEN_DATA,
    remedies: ['plain'],
    source: 'seen on Node 20.20 to 26.10, Deno 2.5 and 2.9.6',
  },
  'spec/other-class': {
    ...ANYWHERE.lossy,
    when: [
      { ...THERE, posted: OTHER_CLASS },
      { ...OF_PLATFORM, posted: OTHER_CLASS },
    ],
    loses: ['class', 'value'],
    scope: { runtimes: { node: '<23.0.0', deno: '*', webkit: '*' }, channels: OVER.inProcess },
    also: [
      { loses: 'class', when: { ...OF_PLATFORM, posted: OTHER_CLASS }, scope: { channels: ['storage'] } },
      {
        loses: 'class',
        when: { kind: 'error', tag: ['DOMException'] },
        scope: { runtimes: { node: '*', deno: '*' }, channels: ['ipc-advanced'] },
      },
    ],
    title: 'platform object of a derived class',
    why: 'It arrives as an object of the class above its own: a File of Node up to 22 as a Blob, a QuotaExceededError of Deno as a DOMException; a DOMException as an Error to another process, into a file, and on Deno up to 2.6.',
    fix: 'Send what the derived class adds beside it, as name and code of an error.',
    source: 'seen on WebKitGTK 2.50, Deno 2.6.8 and 2.9.6, Node 20.20 to 26.10',
  },
  'spec/stream-refused': {
    when: { kind: ['platform', 'not-cloneable'], tag: STREAMS },
    scope: { runtimes: { bun: '*', webkit: '*' }, channels: OVER.inProcess },
    title: 'stream that can be neither copied nor transferred',
    why: 'This engine does not transfer streams: the post throws, with a transfer list too.',
    fix: 'Transfer a MessagePort, and post the chunks over it.',
    source: 'seen on Bun 1.4.5 and WebKitGTK 2.50',
  },
});
