/** Runs a guest of test/engines/guest/ in a real runtime and reads its answer. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { runtime } from '../support/runtimes.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('./guest/', import.meta.url));

/** @throws when the guest fails, with what it printed */
export async function answerOf<T>(spec: string, guest: string, args: readonly string[] = []): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'clone-prof-engines-'));
  try {
    const script = join(folder, `${guest}.mjs`);
    await build({
      entryPoints: [join(here, `${guest}.ts`)],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      external: ['bun:*', 'node:*'],
      logLevel: 'warning',
    });
    const { binary, name } = await runtime(spec);
    const answer = join(folder, 'answer.json');
    const flags =
      name === 'deno' ? ['run', '-A', '--no-lock', '--no-config', '--v8-flags=--allow-natives-syntax'] : [];
    await run(binary, [...flags, script, answer, ...args], { timeout: 120_000, maxBuffer: 1e7 });
    return JSON.parse(await readFile(answer, 'utf8')) as T;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
