/** Rules of several engines on what is refused: values, entries of a transfer list, and memory that cannot be moved. */
import { type Channel, ELECTRON_CHANNELS } from '../../model/names.ts';
import { type Rule, ruleTable } from '../../model/rules/rule.ts';
import { WITHOUT_CLONE_STEPS } from './platform.ts';
import { ANYWHERE, AT_ROOT, BRIDGE, BYTES, ON_V8, OVER, VIEW } from './row-parts.ts';

const REJECTED = {
  ...ANYWHERE.rejected,
  source: 'HTML StructuredSerializeInternal; seen on Node 20-26, Deno 2.9, Bun 1.4.5',
} as const satisfies Partial<Rule>;

const IN_DATABASE = 'Send parts of it, one after the other, or keep it in IndexedDB and send its key.';
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
    scope: { ...BRIDGE.too, exceptOver: ['rpc'] },
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
    also: [{ when: { kind: 'generator' }, scope: BRIDGE.too }],
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
    scope: BRIDGE.too,
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
    source: `${REJECTED.source}; views to another process on Node 20.20, 22.23 and 25.9, not on 24.21 and 26.10, and on Deno 2.9.6, not on 2.5.6`,
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['detached'] },
    scope: { ...BRIDGE.too, exceptOver: ['ipc-advanced'] },
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
    when: BYTES.shared,
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
  'spec/refused': {
    remedies: ['plain'],
    // No readable property shows it: only the refusal by the engine does (engines/classify/observed.ts).
    when: [],
    title: 'value that the engine refused',
    why: 'Posting it threw an error, and no rule explains it: the message is that of the engine.',
    fix: 'Leave it out, or send plain data in its place.',
    source:
      'HTML StructuredSerializeInternal, [[Get]]; nodejs/node#55234; seen on Node 20-26, Deno 2.9, Bun 1.4.5',
  },
  'spec/too-deep': {
    ...AT_ROOT.rejected,
    when: { payloadDepthFrom: 4000 },
    scope: { runtimes: ON_V8 },
    also: [
      { when: { payloadDepthFrom: 40_000 }, scope: { runtimes: { bun: '*', webkit: '*' } } },
      { when: { payloadDepthFrom: 128 }, scope: { runtimes: { deno: '*' }, channels: ['ipc-json'] } },
      { when: { payloadDepthFrom: 6000 }, scope: { channels: ['extension'] } },
      {
        when: [
          { kind: 'array', payloadDepthFrom: 1001 },
          { kind: 'object', payloadDepthFrom: 501 },
        ],
        scope: BRIDGE.alone,
      },
    ],
    title: 'nested too deep',
    why: 'Engines read and write nested values by recursion, and throw a RangeError or TypeError: V8 at 4,000 levels with the usual stack size, Bun and WebKit at about 40,000, an extension at 5,000. contextBridge takes 1,000 levels, of objects 500. Deno reads JSON of at most 127: beyond them its process ends.',
    fix: 'Send the nodes as one flat list with the index of each parent.',
    remedies: ['json-text'],
    source:
      'V8 src/objects/value-serializer.cc and src/json/json-stringifier.cc STACK_CHECK; SerializedScriptValue.cpp maximumFilterRecursion; denoland/deno ext/node/ops/ipc.rs; Electron electron_api_context_bridge.cc; seen on Node 20-26 and Deno 2.9 (at most 3,588), Bun 1.4.5 (39,995 pass), Electron 33.2, extensions of Chromium 156 (4,000 levels of arrays and 5,000 of objects arrive, 5,000 and 6,000 do not)',
  },
  'spec/buffer-too-large': {
    when: { ...BYTES.copied, bytesFrom: 2 ** 32 },
    scope: { runtimes: ON_V8, transferring: false },
    also: [
      {
        when: { ...BYTES.copied, bytesFrom: 2 ** 31 - 16 },
        scope: { runtimes: { bun: '*' }, transferring: false },
      },
    ],
    title: 'buffer of 4 GiB or more, in Bun of 2 GiB, copied',
    why: 'The engine counts the bytes that it copies in 32 bits, in Bun in 31: a larger buffer throws a DataCloneError. Up to Bun 1.3 the process crashes, on 1.3 from about 1.5 GiB on.',
    fix: 'List it in the transfer list, or send parts of it.',
    remedies: ['transfer'],
    source:
      'V8 src/objects/value-serializer.cc WriteJSArrayBuffer; seen on Node 20.20 and 26.10, Deno 2.9.6 (2^32 bytes are refused, 2^32 - 1 arrive), Bun 1.4.5 (2,147,483,616 bytes arrive, 16 more are refused), 1.2.20 and 1.3.14',
  },
  'spec/message-too-large': {
    ...AT_ROOT.rejected,
    when: { payloadBytesFrom: 33_554_432 },
    scope: { runtimes: { workerd: '*' }, channels: ['rpc'] },
    also: [
      {
        when: { payloadTextFrom: 536_870_886 },
        scope: { runtimes: { node: '*' }, channels: ['ipc-json'] },
      },
      { when: { payloadJsonFrom: 2 ** 26 }, scope: { channels: ['extension'] } },
      {
        at: 'any',
        when: { kind: ['string', 'arraybuffer', 'typedarray', 'dataview'], bytesFrom: 2 ** 26 },
        scope: { channels: ['extension-clone'] },
      },
    ],
    title: 'message that is too large',
    why: 'Arguments and results of RPC are limited to 32 MiB, messages of an extension to 64 MiB. JSON text to a process is one string, and V8 has none of more than 536,870,888 characters. The call throws.',
    fix: 'Send parts of it, one after the other.',
    fixIn: {
      rpc: 'Send a ReadableStream, which has no limit, or several calls.',
      'ipc-json': "Send parts of it, or let messages be cloned: fork(file, { serialization: 'advanced' }).",
      extension: IN_DATABASE,
      'extension-clone': IN_DATABASE,
    },
    source:
      'workerd src/workerd/api/worker-rpc.h MAX_JS_RPC_MESSAGE_SIZE; Chromium extensions/renderer/api/messaging/messaging_util.cc kMaxMessageLength; V8 String::kMaxLength; seen on workerd 2025-10-01 to 2026-11-17, Chromium 156 and Node 24.21',
  },
  'spec/stack-overflow': {
    remedies: ['plain'],
    // Only the refusal by the engine shows it (engines/classify/observed.ts).
    when: [],
    title: 'more levels than the stack has room for',
    why: 'The engine reads nested values by recursion, and runs getters: its stack ended.',
    fix: 'Send the nodes as one flat list with the index of each parent, and what a getter gives as a value.',
    source:
      'V8 src/objects/value-serializer.cc STACK_CHECK; seen on Node 20-26, Deno 2.9, Bun 1.4.5, Firefox 153',
  },
  'spec/out-of-bounds-view': {
    when: { kind: VIEW, all: ['out-of-bounds'] },
    title: 'view beyond the end of its buffer',
    why: 'The resizable buffer has shrunk below the end of the view, so the view has no content to send. To another process and into a file, Node and Deno write an empty view.',
    fix: 'Make a new view after the buffer was resized.',
    scope: { ...BRIDGE.too, exceptOver: ['ipc-advanced', 'storage'] },
    also: [{ scope: { runtimes: { bun: '*' }, channels: ['ipc-advanced', 'storage'] } }],
  },
});

const LISTED = {
  ...ANYWHERE.rejected,
  // Only the refusal by the engine shows it (engines/classify/observed.ts).
  when: [],
  scope: { transferring: true, channels: OVER.listing },
  source: 'HTML StructuredSerializeWithTransfer; seen on Node 22-26, Deno 2.9, Bun 1.4.5',
} as const satisfies Partial<Rule>;

const WEB = { bun: '*', chromium: '*', firefox: '*', webkit: '*' } as const;
/** Runtimes that refuse a buffer that they cannot detach. Node 20 copies it silently. */
const DETACHING = { ...WEB, node: '>=21.0.0', deno: '*' } as const;

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

/** Notes of memory that cannot be moved or shared. */
export const memory = ruleTable(ANYWHERE.note, {
  'spec/untransferable': {
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['untransferable'] },
    scope: {
      runtimes: { node: '>=21.0.0', bun: '>=1.4.0', deno: '>=2.9.4' },
      channels: [...OVER.posted, 'structured-clone'],
      transferring: true,
    },
    also: [
      {
        when: { kind: VIEW, all: ['pooled'] },
        scope: { channels: OVER.inProcess, transferring: true, runtimes: { node: '*', deno: '*' } },
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
    when: { ...BYTES.copied, all: ['wasm-memory'], bytesFrom: 16_384 },
    scope: { channels: OVER.inProcess },
    title: 'memory of WebAssembly, copied',
    why: 'It belongs to its instance and cannot be moved: the whole memory is copied into the message and out of it again, in Node 20 also if it is listed.',
    fix: 'Send a copy of the bytes that are needed, and list its buffer: view.slice(). Or make the memory shared.',
    remedies: ['slice-view', 'share'],
    source: 'WebAssembly JS API [[ArrayBufferDetachKey]]; seen on Node 20-26, Bun 1.4.5, Deno 2.9.6',
  },
  'spec/shared-memory-context': {
    when: BYTES.shared,
    scope: { runtimes: { chromium: '*', firefox: '*', webkit: '*' } },
    title: 'shared memory in a browser',
    why: 'Browsers allow SharedArrayBuffer only on pages served with the COOP and COEP headers.',
    fix: 'Serve the page with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.',
    source: 'HTML cross-origin isolation',
  },
});
