/**
 * All channels, in the order of printed lists. Code reads the row of a channel and need not compare channel names. What a
 * channel has in guests, and the rules that are about it, are in its folder.
 */

export interface ChannelRow<Runtime extends string = string> {
  /** Runtimes that can have the channel. */
  readonly of: readonly Runtime[];
  /** A transfer list moves its objects; absent: it copies them. */
  readonly moves?: true;
  /** The receiver is a separate thread, which may block and shares memory. */
  readonly toThread?: true;
  /** A different process holds a part of the messages in flight: a child, or the browser's own process. */
  readonly elsewhere?: true;
  /** It uses other steps than ports do, so a post over it is needed to see which values arrive or are refused. */
  readonly ownSteps?: true;
  /** It does not use structured clone: a rule must name the channel to apply. */
  readonly ownRules?: true;
  readonly json?: true;
  /** It sends no named properties of an array, unless a Map or Set has the array. */
  readonly elementsOnly?: true;
  /** Reason for which no engine reports the path of its messages. */
  readonly unasked?: string;
  /** Values are copied one by one: no message is written. */
  readonly unwritten?: true;
  /** The receiver is the sender: the value returns to the same thread, from a store when the program reads it. */
  readonly local?: 'call' | 'store';
  /** Its messages are clones as of ports. within: the receiver can share memory with the sender; beyond: it cannot. */
  readonly cloned?: 'within' | 'beyond';
  /** "to a worker" */
  readonly words: string;
  /** Reason for which a platform lacks it; absent: most platforms have it, and the channels of others are named. */
  readonly lacking?: string;
  /** Code that posts MESSAGE. The part in brackets is for a transfer list, LIST. */
  readonly call: string;
  /** Lines around the code that receives MESSAGE; absent: all code of the program may receive it. */
  readonly receiver?: readonly [before: string, after: string];
  /** The lines that make the payload of the expression in <>, if the receiver asks for the message. */
  readonly taken?: string;
  /** `call` and `taken` for a content of its files, if they differ. */
  readonly contents?: Readonly<Record<string, { readonly call?: string; readonly taken: string }>>;
  /** Name of the call that throws; default: postMessage. */
  readonly thrower?: string;
  /** Meaning of a round trip, if it is not a message and its answer. */
  readonly trip?: string;
  /** Names of both directions; default: send and receive. */
  readonly directions?: { readonly send: string; readonly receive: string };
  /** Advice in place of fewer, larger messages. */
  readonly fewer?: string;
}

const PAGES = ['chromium', 'firefox', 'webkit'] as const;
const PROCESSES = ['node', 'bun', 'deno'] as const;
const ALL = [...PROCESSES, ...PAGES] as const;

const TO_WORKER = {
  of: ALL,
  moves: true,
  toThread: true,
  cloned: 'within',
  call: 'worker.postMessage(MESSAGE[, LIST]);',
} as const satisfies Partial<ChannelRow>;

const AS_JSON = {
  ownRules: true,
  json: true,
  elementsOnly: true,
  unasked: 'a message of JSON text has one path',
} as const satisfies Partial<ChannelRow>;

const NO_CHILD = 'this runtime has no child process with process.send';
const TO_CHILD = {
  of: PROCESSES,
  elsewhere: true,
  thrower: 'process.send',
  call: 'child.send(MESSAGE); // in the child: process.send',
} as const satisfies Partial<ChannelRow>;

const WRITTEN = 'writeFileSync(file, MESSAGE); // of node:fs';

const IN_ELECTRON = {
  of: ['electron'],
  lacking: 'only Electron has renderers',
} as const satisfies Partial<ChannelRow>;
const TO_RENDERER = { ...IN_ELECTRON, elsewhere: true } as const satisfies Partial<ChannelRow>;

const IN_EXTENSION = {
  of: ['chromium'],
  elsewhere: true,
  ownSteps: true,
  thrower: 'chrome.runtime',
  lacking:
    'only Chromium has extensions of clone-prof: one that it started, and that sends from the main thread',
  call: 'port.postMessage(MESSAGE); // or chrome.runtime.sendMessage',
} as const satisfies Partial<ChannelRow>;

export const CHANNEL_ROWS = {
  /** The messages of a worker: `worker.postMessage`, and `postMessage` in it. */
  worker: { ...TO_WORKER, words: 'to a worker' },
  /** Workers of node:worker_threads in a runtime that has others too. */
  'node-worker': {
    ...TO_WORKER,
    of: ['deno'],
    words: 'to a worker of node:worker_threads',
    lacking: 'the workers of node:worker_threads are those of the channel worker here',
  },
  /** A MessagePort, whose other end a worker has. */
  'message-port': {
    ...TO_WORKER,
    words: 'through a MessagePort',
    call: 'port.postMessage(MESSAGE[, LIST]);',
  },
  /** `structuredClone`, in one thread. */
  'structured-clone': {
    of: [...ALL, 'workerd'],
    moves: true,
    local: 'call',
    cloned: 'within',
    words: 'by structuredClone',
    call: 'const copied = structuredClone(MESSAGE[, { transfer: LIST }]);',
    taken: 'const copy = <copied>;',
    thrower: 'structuredClone',
  },
  /** A BroadcastChannel of a thread and its worker. */
  broadcast: {
    of: ALL,
    toThread: true,
    cloned: 'within',
    words: 'over a BroadcastChannel',
    call: 'channel.postMessage(MESSAGE);',
  },
  /** A page and its frame. */
  window: {
    of: PAGES,
    moves: true,
    cloned: 'within',
    words: 'to a window',
    lacking: 'only a page of a browser has windows, and posts to them from its main thread',
    call: 'frame.contentWindow.postMessage(MESSAGE, location.origin[, LIST]);',
  },
  /** A page and its service worker. */
  'service-worker': {
    of: PAGES,
    moves: true,
    elsewhere: true,
    ownSteps: true,
    cloned: 'beyond',
    words: 'to a service worker',
    lacking:
      'only a page of https or of this machine has service workers, and posts to them from its main thread',
    call: 'navigator.serviceWorker.controller.postMessage(MESSAGE[, LIST]);',
  },
  /** A process and its child, `process.send`. */
  'ipc-json': { ...TO_CHILD, ...AS_JSON, words: 'to a process, as JSON text', lacking: NO_CHILD },
  'ipc-advanced': {
    ...TO_CHILD,
    words: "to a process, serialization: 'advanced'",
    lacking: `${NO_CHILD} and advanced serialization`,
  },
  /** A file that `v8.serialize` writes. */
  storage: {
    of: PROCESSES,
    local: 'store',
    words: 'written by v8.serialize',
    lacking: 'a page has no files',
    call: 'writeFileSync(file, serialize(MESSAGE)); // of node:fs and node:v8',
    taken: 'const payload = <deserialize(readFileSync(file))>;',
    // Like channels/storage/guest/process.ts. Content is JSON text only if it begins with a JSON bracket.
    contents: {
      json: {
        call: `const message = MESSAGE;
writeFileSync(file, typeof message === 'string' ? message : serialize(message)); // of node:fs and node:v8`,
        taken: `const stored = readFileSync(file);
const isJson = stored[0] === 0x7b || stored[0] === 0x5b; // { and [
const message = isJson ? stored.toString() : deserialize(stored);
const payload = <message>;`,
      },
      text: { call: WRITTEN, taken: "const payload = <readFileSync(file, 'utf8')>;" },
      bytes: { call: WRITTEN, taken: 'const payload = <readFileSync(file)>;' },
    },
    thrower: 'v8.serialize, or v8.deserialize,',
    trip: 'A round trip is one new file in the temp folder, written and read back by one thread: bytes go into the page cache and come out of it, and nothing waits for the disk.',
    directions: { send: 'write', receive: 'read' },
    fewer: 'fewer, larger files',
  },
  /** A record of IndexedDB. */
  indexeddb: {
    of: PAGES,
    local: 'store',
    elsewhere: true,
    words: 'into IndexedDB',
    lacking: 'only pages of a server have IndexedDB',
    call: "store.put(MESSAGE, key); // of a transaction for 'readwrite'",
    taken: 'const payload = <request.result>; // when request = store.get(key) has succeeded',
    thrower: 'put, or its transaction,',
    trip: 'A round trip is one record that is put, with a key out of line and the default durability, and got back when its transaction is complete: put clones the value and blocks the thread; transaction and get are waited for.',
    directions: { send: 'put (blocks)', receive: 'get' },
    fewer: 'fewer, larger records',
  },
  /** The main process of Electron and a renderer, and the two worlds of a page. */
  'electron-ipc': {
    ...TO_RENDERER,
    words: 'to a renderer of Electron',
    call: "window.webContents.send('message', MESSAGE);",
    thrower: 'webContents.postMessage',
  },
  'electron-port': {
    ...TO_RENDERER,
    words: 'through a port of Electron',
    call: 'port.postMessage(MESSAGE);',
  },
  'electron-bridge': {
    ...IN_ELECTRON,
    local: 'store',
    ownSteps: true,
    ownRules: true,
    elementsOnly: true,
    unasked: 'a bridge copies by steps of its own, which nothing reports',
    unwritten: true,
    words: 'over contextBridge',
    call: 'window.api.run(MESSAGE); // of the preload script',
    receiver: ["contextBridge.exposeInMainWorld('api', { run(MESSAGE) {", '} });'],
    thrower: 'the call',
    trip: 'A round trip is one argument of a function that contextBridge exposes, and one result of another: each is a copy between the worlds of a page, and blocks its one thread.',
    directions: { send: 'argument (blocks)', receive: 'result (blocks)' },
  },
  /** Calls between two services of workerd. */
  rpc: {
    of: ['workerd'],
    ownSteps: true,
    words: 'by RPC of Workers',
    lacking: 'only services of workerd call each other by RPC',
    call: 'await env.SERVICE.run(MESSAGE);',
    receiver: ['export class Service extends WorkerEntrypoint { run(MESSAGE) {', '} }'],
    thrower: 'the call',
  },
  /** A page of a Chromium extension and its service worker, `chrome.runtime`. */
  extension: { ...IN_EXTENSION, ...AS_JSON, words: 'over chrome.runtime, as JSON text' },
  'extension-clone': { ...IN_EXTENSION, cloned: 'beyond', words: 'over chrome.runtime, cloned' },
} as const satisfies Readonly<Record<string, ChannelRow>>;
