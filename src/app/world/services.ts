/** Everything with I/O behind the use cases, wired to this machine; shared by the CLI and the library. */

import { resolve } from 'node:path';
import { toolVersion } from '../../machine/folders.ts';
import { contentionCounters, thisMachine } from '../../machine/machine.ts';
import { withWorkFolder } from '../../machine/temp-folders.ts';
import { ToolError } from '../../model/errors.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { Emit } from '../../model/run/events.ts';
import type { FoundRuntime, FoundRuntimes, Guest, OpenLink, RuntimeDriver } from '../../model/run/runtime.ts';
import type { Recorder } from '../../record/program/recorder.ts';
import { runtimeDriver } from '../../runtimes/driver.ts';
import { type FindOptions, findRuntimes, listRuntimes } from '../../runtimes/find/find.ts';
import { provision, removeCached } from '../../runtimes/provision/provision.ts';
import type { Tools } from '../job/job.ts';
import { bundleForPage, compressedBytes, unbuiltAt } from '../sources/bundle.ts';
import { loadSources, type SourceOptions } from '../sources/load.ts';

export type { ProgramExit } from '../../runtimes/process/recorded-program.ts';

export type FetchOptions = Omit<FindOptions, 'cwd' | 'env' | 'provision'>;

/** Options of loading sources. `cwd`: default: the user's current folder. */
export type LoadOptions = Omit<SourceOptions, 'stdin' | 'cwd'> & { cwd?: string };

/** Tests of the CLI pass fake runtimes and a fake clock. */
export interface Services {
  /** Called with the path of each file of the config before it is read, for --watch. */
  onRead?: (path: string) => void;
  tools: Omit<Tools, 'emit'>;
  findRuntimes(specs: string[], options: FetchOptions): Promise<FoundRuntimes>;
  loadSources(inputs: string[], options: LoadOptions): Promise<Source[]>;
  listRuntimes(): Promise<FoundRuntime[]>;
  addRuntime(spec: string, options: FetchOptions): Promise<FoundRuntime>;
  removeRuntimes(spec: string): Promise<FoundRuntime[]>;
  recorder(): Promise<Recorder>;
}

export interface Surroundings {
  cwd(): string;
  env: Record<string, string | undefined>;
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
}

/** Messages of Node, Deno and Bun about what they cannot parse. In ES modules they name no line. */
const UNPARSED = /^(SyntaxError|BuildMessage): (?!.* \(.*line \d+, column \d+\)$)/s;

/** Guests whose errors name the line of a module that cannot be parsed, as the bundler finds it. */
const withLines = (driver: RuntimeDriver): RuntimeDriver => ({
  async start(runtime, options) {
    const guest = await driver.start(runtime, options);
    // The files of a former commit lie elsewhere.
    if (options.moved) return guest;
    const ask: Guest['ask'] = (request, terms) =>
      guest.ask(request, terms).catch(async (error: unknown) => {
        if (!(error instanceof ToolError) || error.code !== 'module-threw') throw error;
        const build = 'recipe' in request ? request.recipe.build : null;
        const { file, detail = '' } = error.facts;
        // The file is that of the request: an answer may name any.
        if (build?.form !== 'module' || build.original !== file || !UNPARSED.test(detail)) throw error;
        const place = await unbuiltAt(resolve(options.cwd, build.original), options.cwd, options);
        throw place === null
          ? error
          : ToolError.again(error.code, { ...error.facts, detail: `${detail} (${place})` });
      });
    return {
      ask,
      hello: guest.hello,
      close: () => guest.close(),
      get dead() {
        return guest.dead;
      },
    };
  },
});

export function realServices({ cwd, env, stdin }: Surroundings): Services {
  return {
    tools: {
      driver: withLines(runtimeDriver(bundleForPage)),
      now: () => performance.now(),
      machine: thisMachine(),
      contention: contentionCounters,
      compressedBytes,
      version: toolVersion(),
      today: () => new Date().toISOString().slice(0, 10),
    },
    findRuntimes: (specs, options) => findRuntimes(specs, { cwd: cwd(), env, ...options }),
    loadSources: (inputs, options) => loadSources(inputs, { cwd: cwd(), ...options, stdin: () => stdin }),
    listRuntimes: () => listRuntimes({ cwd: cwd(), env }),
    addRuntime: (spec, options) => provision(spec, { cwd: cwd(), env, ...options }),
    removeRuntimes: (spec) => removeCached(spec, env),
    recorder: async () => (await import('../../record/program/recorder.ts')).recorder,
  };
}

/** Environment of a command or of a library call while it runs. */
export interface Work {
  services: Services;
  cwd: string;
  env: Surroundings['env'];
  emit: Emit;
  signal: AbortSignal;
  onLink?(link: OpenLink): void;
  /** Path of an empty folder, which is removed afterwards. */
  workdir: string;
}

/** Work of a program that imports this package: `emit` gets the events, and `signal` may end it. */
export function withWork<T>(
  {
    cwd,
    emit,
    signal = new AbortController().signal,
  }: Pick<Work, 'cwd' | 'emit'> & { signal?: AbortSignal | undefined },
  run: (work: Work) => Promise<T>,
): Promise<T> {
  const { env, stdin } = process;
  const services = realServices({ cwd: () => cwd, env, stdin });
  return withWorkFolder((workdir) => run({ services, cwd, env, emit, signal, workdir }));
}

export const toolsOf = ({ services, emit }: Work): Tools => ({ ...services.tools, emit });

/** Options for fetching runtimes that are not installed, and for waiting for browsers. */
export interface Fetching {
  offline?: boolean | undefined;
  /** npm reads the `.npmrc` of the project too. */
  projectNpmrc?: boolean | undefined;
  /** Address that the link of `-r url` is served on; null: this machine only. */
  listen?: string | null;
  timeoutMs?: number | undefined;
}

export const fetchOptions = (
  { emit, signal, onLink }: Work,
  { offline = false, projectNpmrc = false, listen, timeoutMs }: Fetching,
): FetchOptions => ({
  ...{ offline, projectNpmrc, signal },
  onNote: (text) => emit({ type: 'note', text }),
  // The link is set only by commands that wait for browsers.
  ...(onLink && listen !== undefined && timeoutMs !== undefined && { link: { listen, timeoutMs, onLink } }),
});
