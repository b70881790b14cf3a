/** Rules of several engines on what costs more than it needs to. */
import { ELECTRON_CHANNELS } from '../../model/names.ts';
import { ruleTable, type When } from '../../model/rules/rule.ts';
import {
  ANYWHERE,
  CLONED_ON,
  COPIED_BYTES,
  IN_PROCESS,
  ON_V8,
  POSTED,
  SHARED_MEMORY,
  VIEW,
} from './common.ts';

const TO_SERVICE_WORKER = { channels: ['service-worker'], transferring: true } as const;
const SPARSE = { kind: 'array', all: ['holes'], sizeFrom: 10_000, filledTo: 0.5 } as const satisfies When;

export const slow = ruleTable(ANYWHERE.slow, {
  'spec/view-of-larger': {
    ...ANYWHERE.degraded,
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
          ...{ runtimes: ON_V8, transferring: false },
          channels: [...CLONED_ON, 'rpc', ...ELECTRON_CHANNELS],
        },
      },
    ],
  },
  'spec/sparse-length': {
    ...ANYWHERE.degraded,
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
  'spec/string-written-once': {
    ...ANYWHERE.note,
    when: { kind: 'string', all: ['repeated'] },
    scope: { runtimes: { bun: '*', webkit: '*' } },
    on: ['serializer'],
    title: 'repeated string, written once',
    why: 'The serializer writes equal strings once per message and references them after that, so repeating one costs little here.',
    source: 'SerializedScriptValue.cpp m_constantPool; seen on Bun 1.4.5 and WebKitGTK 2.50',
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
