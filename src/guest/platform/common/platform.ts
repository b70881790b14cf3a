import type { Channel } from '../../../model/names.ts';
import type { Profiler } from '../profilers/profiler.ts';
import type { Endpoint, Peer } from './endpoint.ts';
import type { SourceReader } from './source-reader.ts';

/** Bundles that a guest starts as a peer. Each lies in the folder of the guest's own bundle. */
export type PeerEntry = 'peer' | 'retaining-receiver' | 'acknowledging-receiver' | 'sender';

/** As `fork` of node:child_process has it. */
export type Serialization = 'json' | 'advanced';

/** Number of pauses, and their sum in ns. */
export interface GcPauses {
  count: number;
  ns: number;
}

export interface GcWatch {
  /** Pauses since the watch began. */
  stop(): GcPauses;
}

/** The most memory that this process held resident since the watch began. */
export interface PeakMemory {
  /** Records what is resident now, for systems without a peak that can be reset. */
  sample(): void;
  /** Bytes, including what was resident when the watch began. */
  bytes(): number | Promise<number>;
}

/**
 * All that differs between runtimes inside a guest, together with `clock.ts` and `event-loop.ts`; nothing else in the guest
 * depends on where it runs. A new runtime brings one in `platform/<name>.ts` and a row in `current.ts`. One with Node's
 * API takes what all share from `process/process-platform.ts`, one with web workers their endpoints from `web.ts`. A
 * runtime without files (a page) also brings a SourceReader, and an entry that connects to the host by another Link.
 */
export interface Platform {
  spawnWorker(entry: PeerEntry): Peer;
  /** A worker of node:worker_threads, where those are not the ones of `spawnWorker`; else null. */
  spawnNodeWorker: ((entry: PeerEntry) => Peer) | null;
  /** A child process connected by IPC; null where the runtime has none. */
  spawnChild: ((entry: PeerEntry, serialization: Serialization) => Peer) | null;
  /** A frame of this page, of the same origin, which listens when this resolves; null where there is no page. */
  spawnFrame: ((entry: PeerEntry) => Promise<Peer>) | null;
  /** Inside a peer: the endpoint to the guest that started it. */
  parentEndpoint(): Endpoint;
  portEndpoint(port: MessagePort): Endpoint;
  broadcastEndpoint(name: string): Endpoint;
  /** Takes one queued message from a port, without an event; null where that costs more than an event does. */
  receiveOnPort: ((port: MessagePort) => { message: unknown } | undefined) | null;
  /** Posting changes how the engine stores what was posted, values from JSON.parse included. */
  readonly postingChangesValues: boolean;
  /** The error of a post that would end this process instead of throwing. */
  readonly endsProcess?: (channel: Channel, value: unknown) => string | null;
  /** `Atomics.wait` may block this thread: not the main one of a page. */
  readonly mayBlock: boolean;
  readonly sources: SourceReader;
  /** null where the runtime does not report pauses. */
  watchGc: (() => GcWatch) | null;
  /** Collects this thread's garbage now; does nothing where the engine cannot be asked to. */
  collectGarbage(): void;
  /** Starts to watch the memory of this process. */
  markPeakMemory(): PeakMemory | Promise<PeakMemory>;
  /** The best profiler that is available; null where there is none. */
  createProfiler: (() => Promise<Profiler>) | null;
  /** Objects that the platform uses after user code has run, besides the globals: their properties are restored. */
  readonly builtIns: readonly object[];
  /** Errors and rejections that nothing handles go to `listener` from now on, instead of ending the guest. */
  onUncaught(listener: (error: unknown) => void): void;
  /** Prints where the host reads it. Works also when user code has replaced `console`. */
  printError(text: string): void;
  /** @param folder absolute */
  writeFile(folder: string, name: string, text: string): void;
}
