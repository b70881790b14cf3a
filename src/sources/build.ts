/** Builds with a time limit: esbuild may be led to a pipe without a writer, or to a device without an end. */

import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuildOptions, BuildResult, context, OnLoadResult, Plugin, stop } from 'esbuild';
import { foldersUpFrom } from '../machine/folders.ts';
import type { Waiting } from '../machine/given-file.ts';
import { ToolError } from '../model/errors.ts';
import { DEFAULTS } from '../model/presets.ts';
import { timerMs } from '../model/timer.ts';

/** Grace period for a cancelled build. It ends sooner unless it waits for a file. */
const GIVES_UP_MS = 200;

/**
 * @param entry file to build
 * @throws ToolError 'module-build-failed', 'interrupted'; esbuild's errors pass through
 */
export async function buildWithin(
  entry: string,
  cwd: string,
  options: BuildOptions,
  waiting: Waiting,
): Promise<BuildResult> {
  refuseOddSettings(entry, cwd);
  const esbuild = await import('esbuild');
  const started = processes;
  try {
    return await buildOnce(esbuild, entry, cwd, options, waiting);
  } catch (error) {
    if (!PROCESS_IS_GONE.test((error as Error).message)) throw error;
    stopProcess(esbuild, started);
    return buildOnce(esbuild, entry, cwd, options, waiting);
  }
}

interface Esbuild {
  context: typeof context;
  stop: typeof stop;
}

/** The single process of esbuild, which serves all builds, was killed or ended with a build that was cut off. */
const PROCESS_IS_GONE = /^The service (is no longer running|was stopped)/;

/** Number of esbuild processes so far, and the functions that cut off each running build. */
let processes = 0;
const underWay = new Set<(error: Error) => void>();

/**
 * Ends the process of esbuild, unless that build belongs to an earlier process. esbuild starts a new process only after
 * this call, even if the old process was killed, and never answers the builds that were running.
 */
function stopProcess({ stop }: Esbuild, which: number): void {
  if (which !== processes) return;
  processes++;
  void stop();
  for (const cut of underWay) cut(new Error('The service was stopped'));
}

async function buildOnce(
  esbuild: Esbuild,
  entry: string,
  cwd: string,
  options: BuildOptions,
  { timeoutMs = DEFAULTS.timeoutMs, signal }: Waiting,
): Promise<BuildResult> {
  if (signal?.aborted) throw new ToolError('interrupted');
  const which = processes;
  let cut: (error: Error) => void = () => {};
  const cutOff = new Promise<never>((_, reject) => (cut = reject));
  const starting = esbuild.context(options);
  const end = (error: ToolError) => {
    cut(error);
    // A build that waits for a file cannot be cancelled, so esbuild's process is ended.
    const stuck = setTimeout(() => stopProcess(esbuild, which), GIVES_UP_MS);
    const done = () => clearTimeout(stuck);
    void starting.then((building) => building.cancel()).then(done, done);
  };
  const onAbort = () => end(new ToolError('interrupted'));
  const detail = `it took more than ${timeoutMs / 1000} s. Raise --timeout, or check whether it imports a pipe or a device`;
  const file = relative(cwd, entry);
  const timer = setTimeout(
    () => end(new ToolError('module-build-failed', { file, detail })),
    timerMs(timeoutMs),
  );
  signal?.addEventListener('abort', onAbort, { once: true });
  underWay.add(cut);
  try {
    const building = await Promise.race([starting, cutOff]);
    return await Promise.race([building.rebuild(), cutOff]);
  } finally {
    underWay.delete(cut);
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    void starting.then((building) => building.dispose()).catch(() => undefined);
  }
}

/** Files that esbuild reads directly, before it calls any plugin. */
const SETTINGS = ['package.json', 'tsconfig.json', 'jsconfig.json', '.pnp.cjs', '.pnp.js', '.pnp.data.json'];

function refuseOddSettings(entry: string, cwd: string): void {
  for (const folder of foldersUpFrom(dirname(entry))) {
    for (const name of SETTINGS) {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found || found.isFile() || found.isDirectory()) continue;
      throw new ToolError('file-unreadable', { file: relative(cwd, path), detail: 'not a regular file' });
    }
  }
}

/** Plugin that must come first: it refuses files that are not regular. */
export const regularFiles: Plugin = {
  name: 'regular-files',
  setup(build) {
    build.onLoad({ filter: /./, namespace: 'file' }, async ({ path }): Promise<OnLoadResult | null> => {
      const found = await stat(path).catch(() => null);
      if (found === null || found.isFile() || found.isDirectory()) return null;
      return { errors: [{ text: `${path} is not a regular file` }] };
    });
  },
};

/** Size in bytes of a TypeScript module as a bundler ships it: minified, and compressed with gzip. */
export async function compressedBytes(module: string): Promise<number> {
  const { transform } = await import('esbuild');
  const { code } = await transform(module, { loader: 'ts', minify: true, format: 'esm' });
  return gzipSync(code, { level: 9 }).length;
}
