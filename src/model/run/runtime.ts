/** What the app sees of runtimes and guests, the same for real and fake ones. */

import type { RuntimeId } from '../documents/names.ts';
import type { ToolError } from '../errors.ts';
import type { ExtensionChannel, Sender } from '../names.ts';
import type { AnswerTo, GuestRequest, Hello } from '../wire/wire.ts';
import type { Emit } from './events.ts';

/** The part of an AbortSignal that is used: this folder compiles without the types of a platform. */
export interface Interruption {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** In the environment of a guest for modules: the outermost folder of the project, whose packages it may load. */
export const PROJECT_ENV = 'CLONE_PROF_PROJECT';

/** In the environment of a guest: the folder for files that it stores messages in. It makes it, the host removes it. */
export const FILES_ENV = 'CLONE_PROF_FILES';

/** A runtime found on this machine. */
export interface FoundRuntime extends RuntimeId {
  /** "bun@1.4.5" */
  spec: string;
  /** Absolute path of the binary; "" for the fake. */
  binary: string;
  /** "running", "PATH", "installed" (in a usual place), "node_modules", "cache", "path given", "link" */
  from: string;
  /** How a browser that came by the link reaches this program. */
  link?: 'this-machine' | 'network';
  /** The oldest version in which guests run; set when this one is older. */
  needs?: string;
}

/** A known runtime that was requested and is not on this machine. */
export interface MissingRuntime {
  spec: string;
  error: ToolError;
}

export interface FoundRuntimes {
  found: FoundRuntime[];
  missing: MissingRuntime[];
  /** With `url` among the specs. */
  visitors?: Visitors;
}

/** `from` of a browser that somebody opened a link with: not ours to start, to stop or to look into. */
export const FROM_LINK = 'link';

/** False if no process of ours is behind the page, and if a guest is not told of the memory of its process. */
export const isMemorySeen = ({ from, name }: FoundRuntime): boolean =>
  from !== FROM_LINK && name !== 'workerd';

/** The link for browsers that are not started by this program. */
export interface OpenLink {
  url: string;
  /** How many are waited for. */
  browsers: number;
  timeoutMs: number;
  /** Other machines reach it too. */
  isPublic: boolean;
}

export interface LinkOptions {
  /** An address of this machine in its network; null: only this machine. */
  listen: string | null;
  /** How long browsers are waited for. */
  timeoutMs: number;
  onLink: (link: OpenLink) => void;
}

/** All browsers that came by the link: their pages show what goes on. */
export interface Visitors {
  show: Emit;
  /** Shows that all is done. The pages end with it. */
  end(): Promise<void>;
}

/** A guest that is running. When a request passes its deadline, the guest is killed. */
export interface Guest {
  readonly hello: Hello;
  /** Rejects with ToolError ('guest-timeout' | 'guest-crashed' | 'guest-exited' | code of a Failed answer). */
  ask<R extends GuestRequest>(request: R, options?: { deadlineMs?: number }): Promise<AnswerTo<R['type']>>;
  /** True once it has ended; a new one must be started. */
  readonly dead: boolean;
  close(): Promise<void>;
}

/** Starts guests of one kind of runtime: processes, or browsers. */
export interface RuntimeDriver {
  start(runtime: FoundRuntime, options: StartOptions): Promise<Guest>;
}

export interface StartOptions {
  timeoutMs: number;
  signal?: Interruption | undefined;
  /** Working directory of the guest: the user's own. */
  cwd: string;
  /** It will load modules of the user's: what the project configures counts. Otherwise it is for data alone. */
  forModules?: boolean | undefined;
  /** Its environment is that of another machine: without what CI services set, with it where nothing of it is set. */
  elsewhere?: boolean | undefined;
  /** Told: it had to be started once more. */
  onNote?: ((text: string) => void) | undefined;
  /** Which thread measures; only pages can choose. The main one without it. */
  sender?: Sender | undefined;
  /** It is the page of an extension, for this channel alone; only Chromium can be. */
  extension?: ExtensionChannel | null | undefined;
}
