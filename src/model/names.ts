/** Closed sets of names. Code that must handle a new member does not compile without it. */

import { broadcast } from '../channels/broadcast/index.ts';
import type { ChannelRow, ChannelRows } from '../channels/common/row.ts';
import { electron } from '../channels/electron/index.ts';
import { extension } from '../channels/extension/index.ts';
import { indexeddb } from '../channels/indexeddb/index.ts';
import { ipc } from '../channels/ipc/index.ts';
import { messagePort } from '../channels/message-port/index.ts';
import { nodeWorker } from '../channels/node-worker/index.ts';
import { rpc } from '../channels/rpc/index.ts';
import { serviceWorker } from '../channels/service-worker/index.ts';
import { storage } from '../channels/storage/index.ts';
import { structuredClone } from '../channels/structured-clone/index.ts';
import { window } from '../channels/window/index.ts';
import { worker } from '../channels/worker/index.ts';

export const ENGINE_NAMES = ['v8', 'jsc', 'spidermonkey', 'webkit'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Rule books: a book for each engine, and `spec` for the rules of the HTML standard, which hold for all of them. */
export type RuleBookName = EngineName | 'spec';

/** Runtimes whose guests are processes, with their engines. A new runtime is a new row; the compiler finds the rest. */
const PROCESSES = { node: 'v8', bun: 'jsc', deno: 'v8', electron: 'v8' } as const satisfies Record<
  string,
  EngineName
>;
export type ProcessRuntime = keyof typeof PROCESSES;
export const PROCESS_RUNTIMES = Object.keys(PROCESSES) as ProcessRuntime[];

/** Programs that are found and fetched in the same way, but lack Node's workers and files: their guests are served. */
const SERVED = { workerd: 'v8' } as const satisfies Record<string, EngineName>;
export type ProgramRuntime = ProcessRuntime | keyof typeof SERVED;
export const PROGRAM_RUNTIMES = Object.keys({ ...PROCESSES, ...SERVED }) as ProgramRuntime[];

const BROWSERS = { chromium: 'v8', firefox: 'spidermonkey', webkit: 'webkit' } as const;
export type BrowserName = keyof typeof BROWSERS;
export type RuntimeName = ProgramRuntime | BrowserName;

export const ENGINE_OF: Readonly<Record<RuntimeName, EngineName>> = { ...PROCESSES, ...SERVED, ...BROWSERS };
export const RUNTIME_NAMES = Object.keys(ENGINE_OF) as RuntimeName[];

export const BRANDS = ['chrome', 'edge', 'opera', 'samsung', 'safari'] as const;
export type Brand = (typeof BRANDS)[number];

export const runtimeWord = ({ name, brand }: { name: RuntimeName; brand?: Brand }): string => brand ?? name;

/** All channels, in the order of printed lists. */
const CHANNEL_ROWS = {
  ...worker,
  ...nodeWorker,
  ...messagePort,
  ...structuredClone,
  ...broadcast,
  ...window,
  ...serviceWorker,
  ...ipc,
  ...storage,
  ...indexeddb,
  ...electron,
  ...rpc,
  ...extension,
} as const satisfies ChannelRows;
export type Channel = keyof typeof CHANNEL_ROWS;
export const CHANNELS = Object.keys(CHANNEL_ROWS) as Channel[];

export const channelRow = (channel: Channel): ChannelRow<RuntimeName> => CHANNEL_ROWS[channel];

/** Channels whose rows have these values. A loop: `filter` in Bun gives later arrays its storage, and guests load this. */
export function channelsWith(values: Partial<ChannelRow>): readonly Channel[] {
  const found: Channel[] = [];
  for (const channel of CHANNELS) {
    const row: Readonly<Record<string, unknown>> = CHANNEL_ROWS[channel];
    if (Object.entries(values).every(([name, value]) => row[name] === value)) found.push(channel);
  }
  return found;
}

export const mayHave = (name: RuntimeName, channel: Channel): boolean =>
  channelRow(channel).of.includes(name);

/** Channels that a runtime of this name can have, but for `others`. */
export function channelsOf(name: RuntimeName, others: readonly Channel[] = []): readonly Channel[] {
  const found: Channel[] = [];
  for (const channel of CHANNELS)
    if (mayHave(name, channel) && !others.includes(channel)) found.push(channel);
  return found;
}

/** Channels to a thread or process of the runtime itself, the usual one first. */
export const USUAL_CHANNELS: readonly Channel[] = ['worker', 'electron-ipc', 'rpc'];

export const usualChannel = (name: RuntimeName): Channel =>
  USUAL_CHANNELS.find((channel) => mayHave(name, channel)) ?? 'worker';

/** A function, so that guests do not call `filter` when they load this: see `channelsWith`. */
export const runtimesWithWorkers = () => RUNTIME_NAMES.filter((name) => mayHave(name, 'worker'));

/** Encodings of messages between processes: `serialization` of `fork`, whose default is 'json'. */
export const SERIALIZATIONS = ['json', 'advanced'] as const;
export type Serialization = (typeof SERIALIZATIONS)[number];

export const IPC_CHANNELS: readonly Channel[] = ['ipc-json', 'ipc-advanced'];
export const otherIpc = (channel: Channel): Channel => (channel === 'ipc-json' ? 'ipc-advanced' : 'ipc-json');
/** True for messages that `v8.serialize` or `JSON.stringify` writes, to a different process or into a file. */
export const isOfProcesses = (channel: Channel): boolean =>
  IPC_CHANNELS.includes(channel) || channel === 'storage';

/** Channels between Electron's main process and a renderer. Its other channels are those of Node and Chromium. */
export const ELECTRON_CHANNELS: readonly Channel[] = ['electron-ipc', 'electron-port'];

/** `message_serialization` in an extension's manifest; default: JSON. A guest has one manifest, and so one channel. */
export const EXTENSION_CHANNELS = ['extension', 'extension-clone'] as const satisfies readonly Channel[];
export type ExtensionChannel = (typeof EXTENSION_CHANNELS)[number];
export const extensionChannel = (channel: Channel): ExtensionChannel | null =>
  EXTENSION_CHANNELS.find((one) => one === channel) ?? null;

export const isJson = (channel: Channel): boolean => channelRow(channel).json === true;

export const JSON_CHANNELS = channelsWith({ json: true });

export const isLocal = (channel: Channel): boolean => channelRow(channel).local !== undefined;
/** True if it keeps a message until the program reads it. */
export const isStore = (channel: Channel): boolean => channelRow(channel).local === 'store';

/**
 * Content of a file that stores a message. serialized: output of `v8.serialize`. json: JSON text in UTF-8, or output of
 * `v8.serialize` if that is impossible; the first byte differs. text: any text in UTF-8. bytes: the message itself.
 */
export type FileContent = 'serialized' | 'json' | 'text' | 'bytes';

/** Thread of a page that posts: its main thread, as in most programs, or a worker that starts the receiver. */
export const SENDERS = ['main', 'worker'] as const;
export type Sender = (typeof SENDERS)[number];

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
  'bridge',
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

export const SERIALIZER_NAMES = ['msgpackr', 'cbor-x', 'devalue', 'superjson', 'seroval', 'v8'] as const;
export type SerializerName = (typeof SERIALIZER_NAMES)[number];

export const REPORT_SCHEMA = 'clone-prof/report@1';
export const SWEEP_SCHEMA = 'clone-prof/sweep@1';
export const COMPARISON_SCHEMA = 'clone-prof/comparison@1';
export const CHECK_SCHEMA = 'clone-prof/check@1';
export const BASELINE_SCHEMA = 'clone-prof/baseline@1';
export const RECORDING_SCHEMA = 'clone-prof/recording@2';
export const VERIFY_SCHEMA = 'clone-prof/verify@1';
export const RULES_SCHEMA = 'clone-prof/rules@1';
