/** Closed sets of names. A new member is a compile error wherever it must be handled. */

export const ENGINE_NAMES = ['v8', 'jsc', 'spidermonkey', 'webkit'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Rule books: one for each engine, and `spec` for what the HTML standard fixes for all of them. */
export type RuleBookName = EngineName | 'spec';

/** Runtimes whose guests are processes, with their engines. A new one is a row here; the compiler asks for the rest. */
const PROCESSES = { node: 'v8', bun: 'jsc', deno: 'v8', electron: 'v8' } as const satisfies Record<
  string,
  EngineName
>;
export type ProcessRuntime = keyof typeof PROCESSES;
export const PROCESS_RUNTIMES = Object.keys(PROCESSES) as ProcessRuntime[];

/** Programs that are found and fetched as those are, and have neither Node's workers nor files: their guests are served. */
const SERVED = { workerd: 'v8' } as const satisfies Record<string, EngineName>;
export type ProgramRuntime = ProcessRuntime | keyof typeof SERVED;
export const PROGRAM_RUNTIMES = Object.keys({ ...PROCESSES, ...SERVED }) as ProgramRuntime[];

const BROWSERS = { chromium: 'v8', firefox: 'spidermonkey', webkit: 'webkit' } as const;
export type BrowserName = keyof typeof BROWSERS;
export type RuntimeName = ProgramRuntime | BrowserName;

/** The engine whose rules apply in a runtime. */
export const ENGINE_OF: Readonly<Record<RuntimeName, EngineName>> = { ...PROCESSES, ...SERVED, ...BROWSERS };
export const RUNTIME_NAMES = Object.keys(ENGINE_OF) as RuntimeName[];

/** What browsers of a family call themselves, beside its own name. */
export const BRANDS = ['chrome', 'edge', 'opera', 'samsung', 'safari'] as const;
export type Brand = (typeof BRANDS)[number];

/** "bun", "edge" */
export const runtimeWord = ({ name, brand }: { name: RuntimeName; brand?: Brand }): string => brand ?? name;

/** How the value travels. */
export const CHANNELS = [
  ...(['worker', 'node-worker', 'message-port', 'structured-clone', 'broadcast', 'window'] as const),
  ...(['ipc-json', 'ipc-advanced', 'storage', 'indexeddb', 'electron-ipc', 'electron-port', 'rpc'] as const),
  ...(['extension', 'extension-clone'] as const),
] as const;
export type Channel = (typeof CHANNELS)[number];

/** How messages between processes are written: `serialization` of `fork`, whose default is 'json'. */
export const SERIALIZATIONS = ['json', 'advanced'] as const;
export type Serialization = (typeof SERIALIZATIONS)[number];

/** Between processes, by `process.send`. */
export const IPC_CHANNELS: readonly Channel[] = ['ipc-json', 'ipc-advanced'];
/** Between Electron's main process and a renderer. Its other channels are those of Node and of Chromium. */
export const ELECTRON_CHANNELS: readonly Channel[] = ['electron-ipc', 'electron-port'];
/** What `serialization` of `fork` makes of the other. */
export const otherIpc = (channel: Channel): Channel => (channel === 'ipc-json' ? 'ipc-advanced' : 'ipc-json');
/** Between processes. */
export const isIpc = (channel: Channel): boolean =>
  IPC_CHANNELS.includes(channel) || ELECTRON_CHANNELS.includes(channel);

/** Of programs that are processes: a page has neither children nor files. */
export const isOfProcesses = (channel: Channel): boolean =>
  IPC_CHANNELS.includes(channel) || channel === 'storage';

/** What a worker of workerd can post with: it starts no threads. */
const OF_SERVED: readonly Channel[] = ['rpc', 'structured-clone'];

/** `message_serialization` in the manifest of an extension: JSON without it. A guest has one manifest, and so one of them. */
export const EXTENSION_CHANNELS = ['extension', 'extension-clone'] as const satisfies readonly Channel[];
export type ExtensionChannel = (typeof EXTENSION_CHANNELS)[number];
/** null for the channels of programs that are no extension. */
export const extensionChannel = (channel: Channel): ExtensionChannel | null =>
  EXTENSION_CHANNELS.find((one) => one === channel) ?? null;

/** Their messages are JSON text. */
export const JSON_CHANNELS: readonly Channel[] = ['ipc-json', 'extension'];
export const isJson = (channel: Channel): boolean => JSON_CHANNELS.includes(channel);

/** Another process has a part of what is in flight: that of a child, or the browser's own. */
export const passesProcesses = (channel: Channel): boolean =>
  isIpc(channel) || extensionChannel(channel) !== null;

/** Of pages and their workers. */
const isOfPages = (channel: Channel): boolean => channel === 'window' || channel === 'indexeddb';

/** Whether such a runtime may have it. */
export function mayHave(name: RuntimeName, channel: Channel): boolean {
  if (name === 'electron' || ELECTRON_CHANNELS.includes(channel))
    return name === 'electron' && ELECTRON_CHANNELS.includes(channel);
  if (Object.hasOwn(SERVED, name)) return OF_SERVED.includes(channel);
  if (channel === 'rpc') return false;
  if (extensionChannel(channel) !== null) return name === 'chromium';
  return PROCESS_RUNTIMES.some((one) => one === name) ? !isOfPages(channel) : !isOfProcesses(channel);
}

/** Not a constant: in Bun `filter` gives the next arrays the storage of the first, and guests load this before any payload. */
export const runtimesWithWorkers = () => RUNTIME_NAMES.filter((name) => mayHave(name, 'worker'));

/** Where none is said. */
export const usualChannel = (name: RuntimeName): Channel =>
  (['worker', 'electron-ipc', 'rpc'] as const).find((channel) => mayHave(name, channel)) ?? 'worker';

/** They keep a message until the program reads it. */
const STORES: readonly Channel[] = ['storage', 'indexeddb'];
export const isStore = (channel: Channel): boolean => STORES.includes(channel);

/** The value comes back in its own thread: nothing is started at another end. */
export const isLocal = (channel: Channel): boolean => channel === 'structured-clone' || isStore(channel);

/** They copy what a transfer list names. */
export const COPYING_CHANNELS: readonly Channel[] = [
  ...(['broadcast', 'rpc'] as const),
  ...IPC_CHANNELS,
  ...STORES,
  ...ELECTRON_CHANNELS,
  ...EXTENSION_CHANNELS,
];

/**
 * What a file holds of a message. serialized: what `v8.serialize` writes. json: JSON text in UTF-8, or what `v8.serialize`
 * writes of a payload that has none: the first byte tells which. text: any text in UTF-8. bytes: the message itself.
 */
export type FileContent = 'serialized' | 'json' | 'text' | 'bytes';

/** The thread of a page that posts: its main thread, as most programs do, or a worker that starts the receiver. */
export const SENDERS = ['main', 'worker'] as const;
export type Sender = (typeof SENDERS)[number];

/** What the engine does with the message as a whole. */
export const PATH_NAMES = [
  // jsc (Bun)
  'string-shared',
  'string-copied',
  'simple-object',
  'int32-array',
  'double-array',
  'simple-array',
  'dense-array',
  // v8
  'one-byte-string',
  'two-byte-string',
  'packed-array',
  'holey-array',
  'fast-object',
  'dictionary-object',
  'buffer',
  'scalar',
  'identity',
  'scalar-codec',
  // all
  'json',
  'serializer',
  'rejected',
] as const;
export type PathName = (typeof PATH_NAMES)[number];

/** Cost classes of a payload, best first. A payload has the class of its worst part. */
export const COST_CLASSES = [
  'shared',
  'moved',
  'in-memory',
  'bulk',
  'serialized',
  'degraded',
  'rejected',
] as const;
export type CostClass = (typeof COST_CLASSES)[number];

/** How bad a finding is, worst first. */
export const LEVELS = ['rejected', 'slow', 'lossy', 'note'] as const;
export type Level = (typeof LEVELS)[number];

/** Worker libraries whose envelope `--via` can put around a payload. */
export const LIBRARIES = [
  'comlink',
  'piscina',
  'tinypool',
  'threads',
  'workerpool',
  'synckit',
  'jest-worker',
  'promise-worker',
  'poolifier',
] as const;
export type LibraryName = (typeof LIBRARIES)[number];

/** Serializers that `--try` knows by name. */
export const SERIALIZER_NAMES = ['msgpackr', 'cbor-x', 'devalue', 'superjson', 'seroval', 'v8'] as const;
export type SerializerName = (typeof SERIALIZER_NAMES)[number];
