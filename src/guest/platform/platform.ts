/** Everything that differs between runtimes inside a guest. Nothing else in the guest asks where it runs. */
import type { Endpoint, Peer } from './endpoint.ts';
import type { PeakMemory } from './peak-memory.ts';
import type { Profiler } from './profilers/profiler.ts';

/** Bundles that a guest starts as a peer. Each lies beside the guest's own bundle. */
export type PeerEntry = 'peer' | 'retaining-receiver' | 'acknowledging-receiver';

export const entryUrl = (entry: PeerEntry): URL => new URL(`./${entry}.mjs`, import.meta.url);

/** Number of pauses, and their sum in ns. */
export interface GcPauses {
  count: number;
  ns: number;
}

export interface GcWatch {
  /** Pauses since the watch began. */
  stop(): GcPauses;
}

export interface Platform {
  spawnWorker(entry: PeerEntry): Peer;
  /** A child process connected by IPC with advanced serialization; null where the runtime has none. */
  spawnChild: ((entry: PeerEntry) => Peer) | null;
  /** Inside a peer: the endpoint to the guest that started it. */
  parentEndpoint(): Endpoint;
  portEndpoint(port: MessagePort): Endpoint;
  broadcastEndpoint(name: string): Endpoint;
  /** Takes one queued message off a port, without an event; null where that costs more than an event does. */
  receiveOnPort: ((port: MessagePort) => { message: unknown } | undefined) | null;
  /** Posting changes how the engine stores what was posted, values from JSON.parse included. */
  readonly postingChangesValues: boolean;
  /** null where the runtime does not report pauses. */
  watchGc: (() => GcWatch) | null;
  /** Collects this thread's garbage now; does nothing where the engine cannot be asked. */
  collectGarbage(): void;
  /** Starts to watch the memory of this process. */
  markPeakMemory(): PeakMemory;
  /** A URL whose import evaluates the module once more. What the module imports is not evaluated again. */
  freshModuleUrl(file: string): string;
  /** The best profiler that is available, resolved from the user's folder. */
  createProfiler(cwd: string): Promise<Profiler>;
}
