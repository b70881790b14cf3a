import { type Channel, ELECTRON_CHANNELS } from '../../model/names.ts';
import { type Rule, ruleTable, type When } from '../../model/rules/rule.ts';
import {
  ANYWHERE,
  CLONED_ON,
  COPIED_BYTES,
  IN_PROCESS,
  LISTING,
  ON_BRIDGE,
  POSTED,
  SHARED_MEMORY,
  TOO_DEEP,
} from './common.ts';
import { NOTE } from './lossy.ts';
import { WITHOUT_CLONE_STEPS } from './platform.ts';

const REJECTED = {
  ...ANYWHERE.rejected,
  source: 'HTML StructuredSerializeInternal; seen on Node 20-26, Deno 2.9, Bun 1.4.5',
} as const satisfies Partial<Rule>;

const TO_PROCESS: readonly Channel[] = ['ipc-advanced'];
/** Rules about values that every engine refuses: the post throws a DataCloneError and nothing is sent. */
export const rejected = ruleTable(REJECTED, {
  'spec/function': {
    when: { kind: 'function' },
    scope: { exceptOver: ['rpc'] },
    title: 'function',
    why: 'Functions and classes cannot be cloned: code and closures are not sent.',
    fix: 'Leave it out, or send a name that the receiver looks up.',
    fixIn: {
      comlink:
        'Wrap it in Comlink.proxy(): the other side gets a function whose calls come back as messages.',
    },
  },
  'spec/symbol': {
    when: { kind: 'symbol' },
    title: 'symbol',
    why: 'A symbol is unique to its own realm and cannot be cloned.',
    fix: 'Send a string instead.',
  },
  'spec/proxy': {
    when: { kind: 'proxy' },
    scope: { ...ON_BRIDGE, exceptOver: ['rpc'] },
    title: 'Proxy',
    why: 'A Proxy cannot be cloned, whatever it wraps; reactive state of UI libraries is usually a Proxy.',
    fix: 'Send the raw object: toRaw(value), snapshot(value), or { ...value } where it is flat.',
    remedies: ['plain', 'json-text'],
  },
  'spec/promise': {
    when: { kind: 'promise' },
    title: 'Promise',
    why: 'A Promise cannot be cloned; an await is probably missing.',
    fix: 'Await it before posting.',
  },
  'spec/weak': {
    when: { kind: ['weakmap', 'weakset', 'weakref'] },
    title: 'weak collection or reference',
    why: 'WeakMap, WeakSet and WeakRef cannot be cloned: their content cannot be listed.',
    fix: 'Send a Map, a Set or the object itself.',
  },
  'spec/iterator': {
    remedies: ['plain'],
    when: { kind: ['generator', 'iterator'] },
    also: [{ when: { kind: 'generator' }, scope: ON_BRIDGE }],
    title: 'iterator or running generator',
    why: 'An iterator (map.keys(), array.values()) and a running generator cannot be cloned.',
    fix: 'Collect what it yields: [...map.keys()], [...generator].',
  },
  'spec/module-namespace': {
    remedies: ['plain'],
    when: { kind: 'module-namespace' },
    title: 'module namespace',
    why: 'What import * gives is an exotic object and cannot be cloned.',
    fix: 'Copy its data to a plain object: { ...namespace }.',
  },
  'spec/arguments': {
    remedies: ['plain'],
    when: { kind: 'arguments' },
    scope: ON_BRIDGE,
    title: 'arguments object',
    why: 'The arguments object of a function cannot be cloned in Node, Deno or Bun.',
    fix: 'Use rest parameters (...args), or Array.from(arguments).',
    source: 'seen on Node 20-26, Deno 2.9, Bun 1.4.5',
  },
  'spec/not-cloneable': {
    remedies: ['plain'],
    when: { kind: 'not-cloneable', notTag: [...WITHOUT_CLONE_STEPS, 'Memory'] },
    title: 'object that cannot be cloned',
    why: 'The platform defines no way to clone this kind of object.',
    fix: 'Send the plain data from which the receiver can build the object.',
  },
  'spec/wasm-memory': {
    when: { kind: 'not-cloneable', tag: ['Memory'] },
    title: 'memory of WebAssembly that is not shared',
    why: 'Only shared memory of WebAssembly can be sent: both sides then have the same memory, and nothing is copied.',
    fix: 'Make it with { shared: true, maximum }, compile the module with threads, and serve pages cross-origin isolated. Or post a copy of the bytes.',
  },
  'spec/detached-buffer': {
    title: 'detached buffer',
    why: 'Its memory was transferred before, so it has no content to send.',
    fix: 'Build a new buffer for each message, or keep a copy.',
    source:
      'HTML StructuredSerializeInternal; seen on Node 20-26, Deno 2.9, Bun 1.4.5; views to another process on Node 20.20, 22.23 and 25.9, not on 24.21 and 26.10, and on Deno 2.9.6, not on 2.5.6',
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['detached'] },
    scope: { ...ON_BRIDGE, exceptOver: ['ipc-advanced'] },
    also: [
      { when: { kind: 'arraybuffer', all: ['detached'] }, scope: { channels: TO_PROCESS } },
      {
        when: [
          { kind: 'typedarray', all: ['detached'] },
          { kind: 'dataview', any: ['detached', 'out-of-bounds'] },
        ],
        // Later versions write it in C++, and send an empty view.
        scope: { runtimes: { node: '<24.21.0 || >=25.0.0 <26.10.0', bun: '*' }, channels: TO_PROCESS },
      },
      {
        when: { kind: 'typedarray', all: ['detached'] },
        // A DataView arrives empty there.
        scope: { runtimes: { deno: '>=2.8.0' }, channels: TO_PROCESS },
      },
    ],
  },
  'spec/shared-refused': {
    when: SHARED_MEMORY,
    title: 'shared memory to a place that cannot share it',
    why: 'Another process, another service, a service worker, a database and a file cannot have memory of this program. Most calls throw; in a broadcast of Chromium, to a service worker and inside a message of an extension nothing arrives.',
    fix: 'Send a copy: new Uint8Array(shared).slice().',
    fixIn: { broadcast: 'Post it to each worker, or send a copy: new Uint8Array(shared).slice().' },
    remedies: ['plain'],
    source:
      'HTML StructuredSerializeForStorage, StructuredDeserialize "agent cluster"; Node lib/v8.js DefaultSerializer; Electron shell/common/v8_util.cc; V8 ReadSharedArrayBuffer; Chromium third_party/blink/renderer/modules/broadcastchannel; seen on Node 20-26, Deno 2.9.6, Electron 33.2, workerd 2026-11-17, Chromium 156, Firefox 153 and WebKitGTK 2.50',
    scope: {
      runtimes: { electron: '*', workerd: '*', chromium: '*', firefox: '*', webkit: '*' },
      channels: [...ELECTRON_CHANNELS, 'rpc', 'service-worker', 'extension-clone', 'indexeddb'],
    },
    also: [
      { when: { kind: 'platform', tag: ['Memory'] }, scope: { channels: ['rpc'] } },
      { scope: { runtimes: { chromium: '*' }, channels: ['broadcast'] } },
      {
        when: { kind: 'sharedarraybuffer' },
        scope: { runtimes: { node: '*', deno: '*' }, channels: ['ipc-advanced', 'storage'] },
      },
    ],
  },
  'spec/module-over-ipc': {
    when: [
      { kind: ['platform', 'not-cloneable'], tag: ['Module'] },
      { kind: 'platform', tag: ['Memory'] },
    ],
    scope: { channels: TO_PROCESS },
    title: 'module or shared memory of WebAssembly to another process',
    why: 'It is refused. A module Node sends, the receiver cannot read it, and its process ends.',
    fix: 'Send a copy of the bytes. Code is compiled there: await WebAssembly.compile(bytes).',
    source: 'seen on Node 20.20 to 26.10, Bun 1.2.20 to 1.4.5, Deno 2.9.6',
  },
  'spec/refused': {
    remedies: ['plain'],
    // No readable property shows it: only the refusal by the engine does (engines/classify/confirm.ts).
    when: [],
    title: 'value that the engine refused',
    why: 'Posting it threw an error, and no rule explains it: the message is that of the engine.',
    fix: 'Leave it out, or send plain data in its place.',
    source:
      'HTML StructuredSerializeInternal, [[Get]]; nodejs/node#55234; seen on Node 20-26, Deno 2.9, Bun 1.4.5',
  },
  'spec/deep-nesting': {
    ...TOO_DEEP,
    when: { payloadDepthFrom: 40_000 },
    scope: { runtimes: { bun: '*', webkit: '*' } },
    why: 'The serializer throws a RangeError at about 40,000 levels.',
    remedies: ['json-text'],
    source: 'SerializedScriptValue.cpp maximumFilterRecursion; seen on Bun 1.4.5 (39,995 levels pass)',
  },
  'spec/stack-overflow': {
    remedies: ['plain'],
    // Only the refusal by the engine shows it (engines/classify/confirm.ts).
    when: [],
    title: 'more levels than the stack has room for',
    why: 'The engine reads nested values by recursion, and runs getters: its stack ended.',
    fix: 'Send the nodes as one flat list with the index of each parent, and what a getter gives as a value.',
    source:
      'V8 src/objects/value-serializer.cc STACK_CHECK; seen on Node 20-26, Deno 2.9, Bun 1.4.5, Firefox 153',
  },
  'spec/out-of-bounds-view': {
    when: { kind: ['typedarray', 'dataview'], all: ['out-of-bounds'] },
    title: 'view beyond the end of its buffer',
    why: 'The resizable buffer has shrunk below the end of the view, so the view has no content to send. To another process and into a file, Node and Deno write an empty view.',
    fix: 'Make a new view after the buffer was resized.',
    scope: { ...ON_BRIDGE, exceptOver: ['ipc-advanced', 'storage'] },
    also: [{ scope: { runtimes: { bun: '*' }, channels: ['ipc-advanced', 'storage'] } }],
  },
});

export const memory = ruleTable(NOTE, {
  'spec/untransferable': {
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['untransferable'] },
    scope: {
      runtimes: { node: '>=21.0.0', bun: '>=1.4.0', deno: '>=2.9.4' },
      channels: [...POSTED, 'structured-clone'],
      transferring: true,
    },
    title: 'buffer marked as untransferable',
    why: 'Its memory was marked by markAsUntransferable: listing it in the transfer list throws an error.',
    fix: 'List a copy: buffer.slice().',
    source: 'Node lib/worker_threads markAsUntransferable; seen on Node 22-26, Bun 1.4.5, Deno 2.9.4',
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

const LISTED = {
  ...ANYWHERE.rejected,
  // Only the refusal by the engine shows it (engines/classify/confirm.ts).
  when: [],
  scope: { transferring: true, channels: LISTING },
  source: 'HTML StructuredSerializeWithTransfer; seen on Node 22-26, Deno 2.9, Bun 1.4.5',
} as const satisfies Partial<Rule>;

const WEB = { bun: '*', chromium: '*', firefox: '*', webkit: '*' } as const;
/** Runtimes that refuse a buffer that they cannot detach. Node 20 copies it silently. */
const DETACHING = { ...WEB, node: '>=21.0.0', deno: '*' } as const;

const SPARSE = { kind: 'array', all: ['holes'], sizeFrom: 10_000, filledTo: 0.5 } as const satisfies When;

export const slow = ruleTable(ANYWHERE.degraded, {
  'spec/view-of-larger': {
    when: { kind: ['typedarray', 'dataview'], all: ['view-of-larger'], none: ['shared-backing'] },
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
        when: {
          kind: ['typedarray', 'dataview'],
          all: ['view-of-larger'],
          none: ['shared-backing', 'pooled'],
        },
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

/** Entries of a transfer list that make the engine refuse the whole post. */
export const listed = ruleTable(LISTED, {
  'spec/listed-shared': {
    title: 'shared memory in the transfer list',
    why: 'Shared memory is not moved: both sides have it, and postMessage throws if it is listed.',
    fix: 'Leave it out of the transfer list.',
  },
  'spec/listed-detached': {
    // workerd accepts it, as Node 20 does.
    scope: { ...LISTED.scope, runtimes: DETACHING },
    title: 'detached buffer in the transfer list',
    why: 'Its memory was moved before: there is nothing left to move.',
    fix: 'Build a new buffer for each message, or keep a copy.',
  },
  'spec/listed-twice': {
    // Workers of Deno accept it.
    scope: { ...LISTED.scope, runtimes: { ...WEB, node: '*' } },
    title: 'listed twice in the transfer list',
    why: 'Each object is moved once, and the list has it twice: two views of one buffer do that.',
    fix: 'List each buffer once: [...new Set(list)].',
  },
  'spec/listed-fixed': {
    scope: { ...LISTED.scope, runtimes: { ...DETACHING, workerd: '*' } },
    title: 'memory that cannot be moved in the transfer list',
    why: 'The engine does not detach it: memory of WebAssembly, the pool of small Buffers, what markAsUntransferable marked.',
    fix: 'Post a copy: copy = new Uint8Array(view), and list copy.buffer.',
  },
  'spec/listed-other': {
    title: 'object that cannot be moved in the transfer list',
    why: 'Buffers, ports and streams are moved; a view is listed by its buffer.',
    fix: 'List view.buffer in place of the view, and leave out all else.',
  },
});
