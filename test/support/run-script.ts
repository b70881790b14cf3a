/** Scripts of the tests that run inside a real runtime. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { RUNTIME_KINDS } from '../../src/runtimes/process/kinds.ts';

const TIMEOUT_MS = 180_000;
const DENO_FLAGS = ['run', '-A', '--no-lock', '--no-config'];
/** Without it Deno cannot say how V8 stores a value. */
export const DENO_NATIVES = '--v8-flags=--allow-natives-syntax';

/** One self-contained module for every runtime, with the source maps off. */
export async function bundleScript(entry: string, outfile: string, plugins: Plugin[] = []): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['bun:*', 'node:*'],
    logLevel: 'warning',
    plugins,
  });
}

/** Returns what the script printed, and throws it when the script fails. */
export async function runScript(
  { name, binary }: FoundRuntime,
  [script, ...args]: readonly [string, ...string[]],
  { denoFlags = [DENO_NATIVES] }: { denoFlags?: readonly string[] } = {},
): Promise<string> {
  const flags: Record<string, readonly string[]> = {
    deno: [...DENO_FLAGS, ...denoFlags],
    electron: RUNTIME_KINDS.electron.guestArgs(null, `${script}.files`),
  };
  const options = { timeout: TIMEOUT_MS, maxBuffer: 1e7 };
  return (await promisify(execFile)(binary, [...(flags[name] ?? []), script, ...args], options)).stdout;
}
