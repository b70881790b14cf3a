import { ToolError } from '../../../model/errors.ts';
import { givenByEntry } from '../../../model/given.ts';
import type { Channel, FileContent } from '../../../model/names.ts';
import type { ModulePosition } from '../../../model/run/runtime.ts';
import type { GuestRequest } from '../../../model/wire/wire.ts';
import type { EndProfiler } from '../profilers/profilers.ts';

export const noop = (): void => undefined;

export interface Outlet {
  post(message: unknown, transfer?: Transferable[]): void;
}

/** One end of a channel, with the calls and events that a program of that runtime uses. */
export interface Endpoint extends Outlet {
  /** False if messages are copied: the channel does not have a transfer list. */
  readonly transfers: boolean;
  onMessage: (data: unknown) => void;
  onMessageError: (reason: string) => void;
  close(): void;
}

/** One end of a channel without a transfer list. @param close absent if it ends with what is at the other end */
export const copyingEndpoint = (post: (message: unknown) => void, close = noop): Endpoint => ({
  ...{ transfers: false, onMessage: noop, onMessageError: noop, post, close },
});

export interface Peer extends ReturnType<typeof peerAt> {
  /** The channel that is measured, if that is not `endpoint`, its own: see `overOther`. */
  readonly port?: Endpoint;
}

export function peerAt(endpoint: Endpoint, stop: () => unknown) {
  let die: (error: ToolError) => void = noop;
  const died = new Promise<never>((_, reject) => {
    die = reject;
  });
  died.catch(noop);
  const peer = {
    endpoint,
    /** True if it has ended, or is about to be ended. */
    over: false,
    exited(reason: string): void {
      if (!peer.over) die(new ToolError('measure-failed', { detail: reason }));
      peer.over = true;
    },
    /** @throws ToolError 'measure-failed' when the peer dies first */
    whileAlive: <T>(work: Promise<T>): Promise<T> => Promise.race([work, died]),
    /** Posts; resolves to the next message on its own channel. @throws errors of both, 'measure-failed' if it dies */
    ask(message: unknown, transfer?: Transferable[]): Promise<unknown> {
      const answered = new Promise((resolve, reject) => {
        endpoint.onMessage = resolve;
        endpoint.onMessageError = (reason) => reject(new Error(reason));
        endpoint.post(message, transfer);
      });
      return peer.whileAlive(answered);
    },
    async end(): Promise<void> {
      peer.over = true;
      await stop();
    },
  };
  return peer;
}

/** Outcome of one post. Empty: it arrived, but cannot be posted back. */
export interface Observed {
  refused?: string;
  /** Reason for which nothing was received, although `post` did not throw. */
  lost?: string;
  /** `fileBytes`: size of the file that a store has written. */
  arrived?: { data: unknown; fileBytes?: number };
}

export function nextMessage(endpoint: Endpoint, post: () => void): Promise<unknown> {
  return new Promise((resolve) => {
    endpoint.onMessage = resolve;
    post();
  });
}

/** A channel whose two ends are in this thread: a posted message can be read at once. */
export interface LocalEndpoint extends Outlet {
  /** Waits after `post` until the message can be requested; absent if no wait is needed. @throws the store's error */
  written?(): Promise<void>;
  /** Requests the message, until `received` has it; absent if it can be read at once. @throws the store's error */
  asked?(): Promise<void>;
  readonly received: unknown;
}

export interface LocalChannel {
  readonly transfers: boolean;
  /** True if receiving is separate work, which can be timed apart. */
  readonly isRead: boolean;
  /** True if reading `received` deserializes the result of `asked`; absent without `asked`. */
  readonly isReadLate?: boolean;
  endpoint(content: FileContent): LocalEndpoint;
  /** Size of the last written file; null if no file was written. Absent if the channel does not use files. */
  bytes?(): number | null;
  /** Gives a value in the other direction; absent if that takes the same values. @throws its refusal */
  giveBack?(value: unknown): void;
  /** Called before each timed message, which is a new file. ext4 writes an overwritten file to the disk. */
  discard?(): void;
  close(): void | Promise<void>;
}

export interface PayloadFile {
  file: string;
  /** For errors: the name that the user gave. */
  name: string;
}

export interface ImportedModule {
  exports: unknown;
  kind: 'esm' | 'commonjs';
}

export type ByteRange = readonly [first: number, last: number];

/** Reads the user's files inside a guest. @throws ToolError 'file-missing' | 'file-unreadable' | 'value-too-large' */
export interface FileReader {
  /** The buffer has exactly their size, because a clone contains the whole buffer. @param range absent: all bytes */
  bytes(file: PayloadFile, range?: ByteRange): Promise<Uint8Array>;
  chunks(file: PayloadFile): AsyncIterable<Uint8Array>;
}

/** Imports the user's modules. @throws ToolError 'file-missing', and what user code throws */
export interface ModuleLoader {
  importModule(file: PayloadFile): Promise<ImportedModule>;
  /** Evaluates a module once more. Its imports are not evaluated again. */
  importAgain(file: PayloadFile, kind: ImportedModule['kind']): Promise<ImportedModule>;
  /** The place in the user's file at which a stack passes through a module; null if it does not. */
  stackLocation(stack: string, module: PayloadFile): ModulePosition | null;
  shownPath(file: string): string;
}

/** Bundles that a guest starts: its own, which then posts in its place, and the bundle of the other end of messages. */
export type PeerEntry = 'main' | 'peer';

/** Starts the other end of a channel. @throws ToolError 'channel-unsupported' */
export type PeerStart = (entry: PeerEntry) => Peer | Promise<Peer>;

/** First message to a peer whose measured channel is not its own: what it opens its end of that channel by. */
export type OtherEnd = { port: MessagePort } | { broadcast: string };

export function openEnd(by: OtherEnd): Endpoint {
  const { portEndpoint, broadcastEndpoint } = currentPlatform();
  return 'port' in by ? portEndpoint(by.port) : broadcastEndpoint(by.broadcast);
}

/** Four random numbers. `crypto.randomUUID` is absent in pages of the network that come by http. */
export const newToken = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** A peer whose measured messages travel over another channel. @param open both ends of it */
const overOther =
  (start: PeerStart, open: () => { near: OtherEnd; far: OtherEnd }): PeerStart =>
  async (entry) => {
    const peer = await start(entry);
    const { near, far } = open();
    peer.endpoint.post(far, 'port' in far ? [far.port] : undefined);
    return Object.assign(peer, { port: openEnd(near) });
  };

export const toWorkers = (start: PeerStart) =>
  ({
    worker: start,
    'message-port': overOther(start, () => {
      const { port1, port2 } = new MessageChannel();
      return { near: { port: port1 }, far: { port: port2 } };
    }),
    broadcast: overOther(start, () => {
      const both = { broadcast: newToken() };
      return { near: both, far: both };
    }),
  }) satisfies Partial<Record<Channel, PeerStart>>;

/** Sums over some threads: ns that they had a core, and ns that they waited for one. */
export type CoreTime = Record<'ranNs' | 'waitedNs', number>;

/** A clock that leaves out the time that other programs take from a message. */
export interface CoreClock {
  read(): CoreTime;
  close(): void;
}

/** Number of pauses, or of calls that read pixels back from a canvas, and their sum in ns. */
export type Pauses = Record<'count' | 'ns', number>;

export interface PeakMemory {
  /** Records what is resident now, for systems without a peak that can be reset. */
  sample(): void;
  /** Most bytes that this process held resident, including those when the watch began. */
  bytes(): number | Promise<number>;
}

/**
 * All that differs between runtimes inside a guest, together with `clock.ts`. A new process runtime is a row in
 * `process/platforms.ts`; a runtime with web workers takes their endpoints from `web.ts`; a runtime without files (a
 * page) also brings a FileReader and a ModuleLoader, and an entry with its own Link.
 */
export interface Platform {
  readonly peers: Readonly<Partial<Record<Channel, PeerStart>>>;
  /** Starts of a worker that answers requests about a channel in place of this thread. */
  readonly senders?: Readonly<Partial<Record<Channel, PeerStart>>>;
  readonly isSender?: boolean;
  readonly local: Readonly<Partial<Record<Channel, () => LocalChannel | Promise<LocalChannel>>>>;
  /** Posts a value as the argument of a call. */
  echoed?(value: unknown): Promise<Observed>;
  parentEndpoint(): Endpoint;
  portEndpoint(port: MessagePort): Endpoint;
  broadcastEndpoint(name: string): Endpoint;
  /** Takes one queued message from a port, without an event; absent if that costs more than an event does. */
  receiveOnPort?(port: MessagePort): { message: unknown } | undefined;
  /** Posting changes how the engine stores what was posted, values from JSON.parse included. */
  readonly postingChangesValues?: true;
  /** The error of a post that would end this process instead of throwing. */
  readonly endsProcess?: (channel: Channel, value: unknown) => string | null;
  /** True if `Atomics.wait` may block this thread: in the main thread of a page it may not. */
  readonly mayBlock: boolean;
  readonly sources: FileReader & ModuleLoader;
  /** Resolves after one turn of the event loop, in which messages, finalizers and I/O are delivered. */
  turnOfEventLoop(): Promise<void>;
  /** Runs work that compiles code from texts, when that is allowed. */
  compiling<T>(work: () => T): T | Promise<T>;
  readonly refused?: Readonly<Partial<Record<GuestRequest['type'], string>>>;
  /** Processor time of all threads of this process so far, ns; absent if its steps are coarse. */
  processorNs?(): number;
  /** Name of the calling thread, for `coreClock`; null, or absent, if it is not known. */
  ownThread?(): string | null;
  /** A clock of threads, of child processes too; null if the system does not report their times. */
  coreClock?(threads: readonly string[]): CoreClock | null;
  watchGc?(): { stop(): Pauses };
  /** On pages: measures the time that user code spends in reading canvases back from now on. */
  watchReadBack?(): { stop(): Pauses };
  /** Collects this thread's garbage now; does nothing if the engine cannot do it on request. */
  collectGarbage(): void;
  markPeakMemory?(): PeakMemory | Promise<PeakMemory>;
  startProfiler?(): Promise<EndProfiler>;
  writeFile?(folder: string, name: string, text: string): void;
  /** Objects other than the globals that the platform uses after user code has run: their properties are restored. */
  readonly builtIns: readonly object[];
  /** Errors and rejections that nothing handles go to `listener` from now on, instead of ending the guest. */
  onUncaught(listener: (error: unknown) => void): void;
  /** Prints to the host. It works also if user code has replaced `console`. */
  printError(text: string): void;
}

/** `give` is called by each entry before user code loads. */
export const { give: givePlatform, get: currentPlatform } = givenByEntry<Platform>('a platform');
