/** The slot that real runtimes and the fake one share: what the app sees of a process that runs a guest. */
import type { AnswerTo, GuestRequest, Hello } from './wire.ts';
import type { RuntimeId } from './words.ts';

/** The part of an AbortSignal that is used; the pure rooms are compiled without the platform's types. */
export interface Interruption {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A runtime found on this machine. */
export interface FoundRuntime extends RuntimeId {
  /** "bun@1.4.5" */
  spec: string;
  /** Absolute path of the binary; "" for the fake. */
  binary: string;
  /** "running", "PATH", "node_modules", "cache", "path given" */
  from: string;
}

/** A guest process that is up. Each `ask` has the deadline; when it passes, the process group is killed. */
export interface Guest {
  hello: Hello;
  /** Rejects with ToolError ('guest-timeout' | 'guest-crashed' | 'guest-exited' | code of a Failed answer). */
  ask<A extends GuestRequest>(
    request: A,
    options?: { deadlineMs?: number; onProgress?: (done: number, of: number, what: string) => void },
  ): Promise<AnswerTo<A['type']>>;
  /** What user code printed, bounded, for the error texts. */
  output(): string;
  /** True once the process is gone; a new one must be started. */
  readonly dead: boolean;
  close(): Promise<void>;
}

export interface RuntimeDriver {
  /** Start a fresh guest. `profile`/`memory` guests come as other entries. */
  start(runtime: FoundRuntime, options: StartOptions): Promise<Guest>;
}

export interface StartOptions {
  /** Guest bundle: "main" by default. */
  entry?: 'main';
  timeoutMs: number;
  signal?: Interruption | undefined;
  /** Working directory of the guest: the user's own. */
  cwd: string;
  /** Extra flags for the binary. */
  flags?: string[];
}
