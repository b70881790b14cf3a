/** What rows of several engines have in common: conditions, parts, and the rules on what costs more than it needs to. */
import { type Channel, channelsWith, ELECTRON_CHANNELS, JSON_CHANNELS } from '../../model/names.ts';
import { type PathRow, ruleTable, type Scope, type SharedRow, type When } from '../../model/rules/rule.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import { PLATFORM_POSTS } from './platform-posts.ts';

export const ANYWHERE = {
  rejected: { level: 'rejected', at: 'any' },
  lossy: { level: 'lossy', at: 'any' },
  losesValue: { level: 'lossy', at: 'any', loses: 'value' },
  losesClass: { level: 'lossy', at: 'any', loses: 'class' },
  slow: { level: 'slow', at: 'any' },
  degraded: { level: 'slow', at: 'any', costs: 'degraded' },
  note: { level: 'note', at: 'any' },
} as const;

export const AT_ROOT = {
  rejected: { level: 'rejected', at: 'root' },
  slow: { level: 'slow', at: 'root' },
  note: { level: 'note', at: 'root' },
} as const;

export const SHARING_CHANNELS = channelsWith({ cloned: 'within' });

/** Channels whose messages are cloned as those of ports. */
export const IN_PROCESS: readonly Channel[] = [...SHARING_CHANNELS, ...channelsWith({ cloned: 'beyond' })];

/** IN_PROCESS, and the database of a page, which keeps values that were cloned by the same steps. */
export const CLONED_ON: readonly Channel[] = [...IN_PROCESS, 'indexeddb'];

export const POSTED = channelsWith({ toThread: true });

export const LISTING = channelsWith({ moves: true });

/** Of these, channels to another process: its receiver gets a copy of memory, and the sender loses it all the same. */
export const COPYING_LISTED = channelsWith({ moves: true, elsewhere: true });

/** Since this compatibility date workerd serializes errors by its own steps (flag enhanced_error_serialization). */
export const OWN_ERRORS = { workerd: '>=1.20260421.0' } as const;

/** Scope of rules about structured clone that hold for copies by Electron's contextBridge, too. */
export const ON_BRIDGE_TOO = { alsoOver: ['electron-bridge'] } as const satisfies Scope;
export const ON_BRIDGE_ALONE = { channels: ['electron-bridge'] } as const satisfies Scope;

/** Every runtime with V8. */
export const ON_V8 = { node: '*', deno: '*', electron: '*', workerd: '*', chromium: '*' } as const;

export const UNCHANGEABLE: readonly Flag[] = ['frozen', 'sealed', 'non-extensible'];

export const VIEW = ['typedarray', 'dataview'] as const;

export const SHARED_MEMORY: readonly When[] = [
  { kind: 'sharedarraybuffer' },
  { kind: VIEW, all: ['shared-backing'] },
];

/** Objects whose pixels, samples or encoded data both sides use: frames and chunks are counted references. */
export const PLATFORM_SHARED = {
  at: 'any',
  when: { kind: 'platform' },
  scope: { channels: SHARING_CHANNELS },
  source:
    'WebCodecs, (de)serialization steps: "a reference to the media resource"; seen on Chromium 143, Firefox 153 and WebKitGTK 2.50: 3 us whatever its size',
} as const satisfies SharedRow;

export const TRANSFERABLE_OBJECT: readonly When[] = [
  { kind: 'platform', all: ['transferable'] },
  { kind: 'platform', posted: { by: PLATFORM_POSTS, all: ['moved'] } },
];

export const GETTER: When = { kind: ['object', 'array', 'map', 'set'], all: ['enumerable-accessor'] };

export const MEMORY = {
  at: 'any',
  when: SHARED_MEMORY,
  source: 'HTML StructuredSerializeInternal; SerializedScriptValue.cpp dumpSharedArrayBuffer',
} as const satisfies SharedRow;

export const SHARED = {
  costs: 'shared',
  root: SHARED_MEMORY,
  title: 'shared memory',
  why: 'Both sides get the same memory; only a reference is sent.',
} as const satisfies Partial<PathRow>;

/** A message that is serialized as JSON, which is the default between processes and in an extension. */
export const JSON_TEXT = {
  path: 'json',
  costs: 'serialized',
  root: {},
  scope: { channels: JSON_CHANNELS },
  title: 'JSON text',
  why: 'The default serialization of a child process, and of an extension of Chromium, writes JSON text, which the other side parses; what JSON has no notation for is lost.',
  source:
    'Node lib/internal/child_process/serialization.js; Bun src/bun.js/ipc.zig; Deno ext/node/ops/ipc.rs; Chromium extensions/renderer/api/messaging/messaging_util.cc',
} as const satisfies PathRow;

export const TRANSFERRED = {
  costs: 'moved',
  scope: { transferring: true, exceptOver: COPYING_LISTED },
  title: 'transferred buffer',
  why: 'The memory of a listed buffer is moved to the receiver; nothing is copied, and the sender can no longer use it.',
} as const satisfies Partial<PathRow>;

/** Buffers and views whose memory is copied if they are not in the transfer list. */
export const COPIED_BYTES = {
  kind: ['arraybuffer', 'typedarray', 'dataview'],
  none: ['shared-backing'],
} as const satisfies When;

/** The result of a getter, or its error, is not known before it runs. */
export const GETTER_RESULT = {
  what: 'getter-result',
  at: 'any',
  when: GETTER,
  otherwise: { path: 'rejected', class: 'rejected', rule: null },
} as const;

const TO_SERVICE_WORKER = { channels: ['service-worker'], transferring: true } as const;
const SPARSE = { kind: 'array', all: ['holes'], sizeFrom: 10_000, filledTo: 0.5 } as const satisfies When;

export const slow = ruleTable(ANYWHERE.degraded, {
  'spec/view-of-larger': {
    when: { kind: VIEW, all: ['view-of-larger'], none: ['shared-backing'] },
    title: 'small view on a large buffer',
    why: 'The whole buffer behind the view is copied, not only the part that the view shows.',
    fix: 'Send a copy of just the part: view.slice().',
    remedies: ['slice-view'],
    source:
      'V8 WriteJSArrayBufferView, SerializedScriptValue.cpp dumpArrayBufferView, SpiderMonkey StructuredClone.cpp writeTypedArray; seen on Node 20-26, Deno 2.9, Electron 33.2, Bun 1.2.20-1.4.5, Firefox 153',
    scope: { runtimes: { bun: '*', firefox: '*', webkit: '*' }, transferring: false },
    also: [
      {
        // Buffers of the pool have a separate rule.
        when: { kind: VIEW, all: ['view-of-larger'], none: ['shared-backing', 'pooled'] },
        scope: {
          runtimes: { node: '*', deno: '*', workerd: '*', electron: '*', chromium: '*' },
          channels: [...CLONED_ON, 'rpc', ...ELECTRON_CHANNELS],
          transferring: false,
        },
      },
    ],
  },
  'spec/sparse-length': {
    when: SPARSE,
    title: 'long array with holes',
    why: 'Every index below the length is read or allocated, so the cost follows the length, not the number of elements. V8 does so on the receiver, and reads an array above 33,554,432 as a hash table.',
    fix: 'Send the pairs of index and value, or a Map.',
    remedies: ['repack'],
    source:
      'V8 src/objects/value-serializer.cc ReadSparseJSArray, js-array.h kMaxFastArrayLength; oven-sh/bun#33512; two elements 5,000,000 apart take 20 to 44 ms to receive on Node 20.20 to 26.10 and Deno 2.9.6, 69 to 102 ms on WebKitGTK 2.50',
    scope: { runtimes: { webkit: '*' } },
    also: [
      { scope: { runtimes: { bun: '*' } }, on: ['serializer'] },
      {
        // V8 reads a longer array as a hash table.
        when: { ...SPARSE, sizeTo: 33_554_432 },
        scope: { exceptOn: { bun: '*', firefox: '*', webkit: '*' } },
      },
    ],
  },
});

export const copied = ruleTable(ANYWHERE.slow, {
  'spec/transfer-copied': {
    when: { ...COPIED_BYTES, all: ['resizable'] },
    scope: { runtimes: { firefox: '*' }, transferring: true },
    also: [
      { when: COPIED_BYTES, scope: { runtimes: { chromium: '*', firefox: '*' }, ...TO_SERVICE_WORKER } },
      {
        when: COPIED_BYTES,
        scope: { runtimes: { firefox: '*' }, channels: ['message-port'], transferring: true },
      },
    ],
    title: 'transfer that copies',
    why: 'A service worker, in Firefox a MessagePort too, may be in another process: the bytes of a transferred buffer are copied, and the sender loses it all the same. Firefox copies each resizable buffer.',
    fix: 'Transfer it through a Worker itself, or use a SharedArrayBuffer. Make a resizable one fixed before it is filled: buffer.transferToFixedLength().',
    fixIn: {
      'service-worker':
        'Leave the buffer out of the list, or post a Blob, whose bytes are read where they are needed.',
    },
    remedies: ['share'],
    source:
      'SpiderMonkey js/src/vm/StructuredClone.cpp writeTransferMap; seen on Chromium 143 and Firefox 153 (8 MB to a service worker: 115 ms listed and 108 ms not, 207 ms and 202 ms; over a port of Firefox 178 ms, 24 us to a Worker)',
  },
  'spec/repeated-string': {
    when: { kind: 'string', all: ['repeated'] },
    scope: { runtimes: ON_V8 },
    also: [
      {
        when: { kind: 'string', all: ['repeated'], none: ['bytes-from-514'] },
        scope: { runtimes: { firefox: '*' } },
      },
    ],
    title: 'repeated string',
    why: 'A string that is not shared is written in full each time it occurs; only objects are written once and referenced after that.',
    fix: 'Send each distinct text once and an index instead of each text.',
    remedies: ['compiled'],
    source:
      'V8 src/objects/value-serializer.cc, the id map holds JSReceivers only; SpiderMonkey js/src/vm/StructuredClone.cpp writeString; seen on Node 20-26 and Firefox 153',
  },
});

export const memory = ruleTable(ANYWHERE.note, {
  'spec/untransferable': {
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['untransferable'] },
    scope: {
      runtimes: { node: '>=21.0.0', bun: '>=1.4.0', deno: '>=2.9.4' },
      channels: [...POSTED, 'structured-clone'],
      transferring: true,
    },
    also: [
      {
        when: { kind: VIEW, all: ['pooled'] },
        scope: { channels: IN_PROCESS, transferring: true, runtimes: { node: '*', deno: '*' } },
      },
    ],
    title: 'pooled or marked buffer in a message with transfers',
    why: 'Its memory was marked by markAsUntransferable, or belongs to the pool of Buffers: listing it throws an error. Node 20 and Deno before 2.9.4 copy the whole pool in silence, Deno before 2.9 moves it: other Buffers are empty then.',
    fix: 'List a copy: Uint8Array.from(buffer).buffer of a Buffer, whose slice() copies nothing; arrayBuffer.slice() of a marked one.',
    remedies: ['slice-view'],
    source:
      'Node lib/worker_threads markAsUntransferable; nodejs/node#47604; seen on Node 20.20 (copied), 22-26 (throws), Bun 1.4.5, Deno 2.5.6 to 2.8.3 (detached), 2.9.0 and 2.9.3 (copied), 2.9.4 and 2.9.6 (throws)',
  },
  'spec/wasm-memory-copied': {
    when: { ...COPIED_BYTES, all: ['wasm-memory'], bytesFrom: 16_384 },
    scope: { channels: IN_PROCESS },
    title: 'memory of WebAssembly, copied',
    why: 'It belongs to its instance and cannot be moved: the whole memory is copied into the message and out of it again, in Node 20 also if it is listed.',
    fix: 'Send a copy of the bytes that are needed, and list its buffer: view.slice(). Or make the memory shared.',
    remedies: ['slice-view', 'share'],
    source: 'WebAssembly JS API [[ArrayBufferDetachKey]]; seen on Node 20-26, Bun 1.4.5, Deno 2.9.6',
  },
  'spec/shared-memory-context': {
    when: SHARED_MEMORY,
    scope: { runtimes: { chromium: '*', firefox: '*', webkit: '*' } },
    title: 'shared memory in a browser',
    why: 'Browsers allow SharedArrayBuffer only on pages served with the COOP and COEP headers.',
    fix: 'Serve the page with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.',
    source: 'HTML cross-origin isolation',
  },
});

/** Values that a database holds better in another form. */
export const database = ruleTable(ANYWHERE.note, {
  'spec/bytes-to-database': {
    when: { ...COPIED_BYTES, none: ['shared-backing', 'detached'], bytesFrom: 100_000 },
    scope: { runtimes: { chromium: '*', firefox: '*', webkit: '*' }, channels: ['indexeddb'] },
    title: 'many bytes in a record',
    why: 'The bytes are copied by put while the thread waits, and by reading the record. A Blob is put by reference, is written by another process, and is read when it is needed.',
    fix: 'Put new Blob([bytes]), and read it by await blob.arrayBuffer().',
    remedies: ['blob'],
    source:
      'seen on Chromium 143 (12 ms against 0.2 ms until put returns, 4 MiB), Firefox 153 (11 ms against 0.04 ms); making the Blob took 7 ms and 5 ms more',
  },
});
