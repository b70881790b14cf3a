/** Interface between the app and runtimes or guests, the same for real and fake ones. */

import type { RuntimeId } from '../documents/names.ts';
import type { ToolError } from '../errors.ts';
import type { ExtensionChannel, Sender } from '../names.ts';
import type { AnswerTo, GuestRequest, Hello } from '../wire/wire.ts';

/** The used part of an AbortSignal: this folder compiles without the types of a platform. */
export interface Interruption {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Environment variable of guests for modules: the outermost folder of the project, whose packages it may load. */
export const PROJECT_ENV = 'CLONE_PROF_PROJECT';

/** Environment variable of guests: folder for stored messages. The guest makes the folder, the host removes it. */
export const FILES_ENV = 'CLONE_PROF_FILES';

export interface FoundRuntime extends RuntimeId {
  spec: string;
  /** Absolute path of the binary; "" for the fake. */
  binary: string;
  /** "running", "PATH", "installed" (in a usual place), "node_modules", "cache", "path given", "link" */
  from: string;
  /** Connection of a browser that came by the link: within this machine, or over the network. */
  link?: 'this-machine' | 'network';
  needs?: string;
}

export interface MissingRuntime {
  spec: string;
  error: ToolError;
}

export interface FoundRuntimes {
  found: FoundRuntime[];
  missing: MissingRuntime[];
  endLink?: () => Promise<void>;
}

/** Value of `from` for browsers that the user opened with the link: this program cannot start, stop or inspect them. */
export const FROM_LINK = 'link';

/** False if the tool did not start the page's process, or if a guest cannot see the memory of its process. */
export const isMemorySeen = ({ from, name }: FoundRuntime): boolean =>
  from !== FROM_LINK && name !== 'workerd';

export interface OpenLink {
  url: string;
  browsers: number;
  timeoutMs: number;
  isPublic: boolean;
}

export interface LinkOptions {
  /** Network address of this machine to listen on; null: this machine alone can connect. */
  listen: string | null;
  timeoutMs: number;
  onLink: (link: OpenLink) => void;
}

/** A guest is killed when a request passes its deadline. */
export interface Guest {
  readonly hello: Hello;
  /** Rejects with ToolError ('guest-timeout' | 'guest-crashed' | 'guest-exited' | code of a Failed answer). */
  ask<R extends GuestRequest>(request: R, options?: { deadlineMs?: number }): Promise<AnswerTo<R['type']>>;
  readonly dead: boolean;
  close(): Promise<void>;
}

export interface RuntimeDriver {
  start(runtime: FoundRuntime, options: StartOptions): Promise<Guest>;
}

/** A folder that stands for another one: `to` has the files of a commit, `from` those of the checkout. */
export type MovedFolder = Readonly<Record<'from' | 'to', string>>;

export interface StartOptions {
  timeoutMs: number;
  signal?: Interruption | undefined;
  cwd: string;
  /** True if it will load user modules: then the project's configuration counts. Else the guest is for data alone. */
  forModules?: boolean | undefined;
  /** True for the environment of a different machine: variables of CI services are removed, or added if absent. */
  elsewhere?: boolean | undefined;
  moved?: MovedFolder | undefined;
  onNote?: ((text: string) => void) | undefined;
  /** Thread that measures, which only pages can choose; default: the main thread. */
  sender?: Sender | undefined;
  /** Set for the page of an extension that uses only this channel; Chromium alone supports it. */
  extension?: ExtensionChannel | null | undefined;
}

export const MODULE_KIND = 'module-kind';

export interface PageModule {
  code: string;
  /** Original format: a page gets `module.exports` of a CommonJS module as the default export. */
  kind: 'esm' | 'commonjs';
  /** Original position of a line and column of the code, both from 1; null for code of the bundler. */
  originalOf(line: number, column: number): ModulePosition | null;
}

export interface ModulePosition {
  /** Set if the position is not in the module's own file; relative to the user's folder, or a file of the host. */
  file?: string;
  line: number;
  column: number;
}

/**
 * @param module its absolute path, and the name that the user gave @param cwd the user's folder @param runtime default: browser
 * @throws ToolError 'file-missing' | 'module-build-failed' | 'module-unsupported' for an import that browsers lack
 */
export type BundleForPage = (
  module: { file: string; name: string },
  cwd: string,
  runtime?: 'workerd',
) => Promise<PageModule>;

export interface ContentionCounters {
  /** Time that a virtual CPU could not run because the hypervisor ran another (CPU steal): mean over the cores. */
  stolenMs: number | null;
  /** Times of the control group with the smallest CPU quota; null outside of control groups. */
  group: GroupTimes | null;
}

/** CPU time that a control group used, and that its quota withheld (throttling). Both are sums over the cores. */
export type GroupTimes = Record<'usedMs' | 'throttledMs', number>;

export const DEFAULTS = {
  budgetMs: 5000,
  timeoutMs: 30_000,
  seed: 1,
  sweepMs: 25_000,
  sweepSteps: 8,
} as const;
