/** Builds that end: what esbuild is led to read may be a pipe without a writer, or a device without an end. */
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { BuildOptions, BuildResult, OnLoadResult, Plugin } from 'esbuild';
import { foldersUpFrom } from '../machine/folders.ts';
import type { Waiting } from '../machine/given-file.ts';
import { ToolError } from '../model/errors.ts';
import { DEFAULTS } from '../model/presets.ts';

/** A build that is cancelled ends sooner, unless it waits for a file. */
const GIVES_UP_MS = 200;

/**
 * @param entry the file that is built
 * @throws ToolError 'module-build-failed', 'interrupted'; and what esbuild throws
 */
export async function buildWithin(
  entry: string,
  cwd: string,
  options: BuildOptions,
  waiting: Waiting,
): Promise<BuildResult> {
  refuseOddSettings(entry, cwd);
  try {
    return await buildOnce(entry, cwd, options, waiting);
  } catch (error) {
    if (!SERVICE_IS_GONE.test((error as Error).message)) throw error;
    // esbuild starts a new process only when the old one was stopped.
    await (await import('esbuild')).stop();
    return buildOnce(entry, cwd, options, waiting);
  }
}

/** The process of esbuild, one for all builds, was killed or ended with a build that was cut off. */
const SERVICE_IS_GONE = /^The service (is no longer running|was stopped)/;

async function buildOnce(
  entry: string,
  cwd: string,
  options: BuildOptions,
  { timeoutMs = DEFAULTS.timeoutMs, signal }: Waiting,
): Promise<BuildResult> {
  const { context, stop } = await import('esbuild');
  const building = await context(options);
  let reject: (error: ToolError) => void = () => {};
  const cutOff = new Promise<never>((_, whenCut) => (reject = whenCut));
  const end = (error: ToolError) => {
    reject(error);
    // It cannot give up a file that it waits for: its process ends then, with all that others build there.
    const stuck = setTimeout(() => void stop(), GIVES_UP_MS);
    void building.cancel().then(() => clearTimeout(stuck));
  };
  const onAbort = () => end(new ToolError('interrupted'));
  const detail = `it took more than ${timeoutMs / 1000} s. Raise --timeout, or check whether it imports a pipe or a device`;
  const file = relative(cwd, entry);
  const timer = setTimeout(() => end(new ToolError('module-build-failed', { file, detail })), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    // It may have come before somebody listened.
    if (signal?.aborted) throw new ToolError('interrupted');
    return await Promise.race([building.rebuild(), cutOff]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    void building.dispose();
  }
}

/** Files that esbuild reads by itself, before any plugin is asked. */
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

/** The first plugin: each file that is loaded is a regular one. */
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
