/** Builds values from sources and asks the oracle in real runtimes, some hundreds per process. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { FoundRuntime } from '../../src/model/runtime.ts';
import type { Answer } from './guest.ts';

const run = promisify(execFile);
const DENO = ['run', '-A', '--no-lock', '--no-config', '--v8-flags=--allow-natives-syntax'];
const DEADLINE_MS = 120_000;

export interface OracleRunner {
  /** An answer for each source, in order; an Error where the runtime crashed. */
  ask(runtime: FoundRuntime, sources: readonly string[]): Promise<(Answer | Error)[]>;
  close(): Promise<void>;
}

export async function oracleRunner(): Promise<OracleRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'clone-prof-differential-'));
  const script = join(folder, 'guest.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./guest.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['bun:*', 'node:*'],
    logLevel: 'warning',
  });
  let asked = 0;
  const answered = async ({ name, binary }: FoundRuntime, sources: readonly string[]): Promise<Answer[]> => {
    const stem = join(folder, `${name}-${asked++}`);
    await writeFile(`${stem}.in`, JSON.stringify(sources));
    const flags = name === 'deno' ? DENO : [];
    await run(binary, [...flags, script, `${stem}.out`, `${stem}.in`], {
      timeout: DEADLINE_MS,
      maxBuffer: 1e7,
    });
    const answers = JSON.parse(await readFile(`${stem}.out`, 'utf8')) as Answer[];
    await Promise.all([rm(`${stem}.in`), rm(`${stem}.out`)]);
    return answers;
  };
  const ask: OracleRunner['ask'] = async (runtime, sources) => {
    try {
      return await answered(runtime, sources);
    } catch (error) {
      if (sources.length === 1) return [error instanceof Error ? error : new Error(String(error))];
      const half = sources.length >> 1;
      return [...(await ask(runtime, sources.slice(0, half))), ...(await ask(runtime, sources.slice(half)))];
    }
  };
  return { ask, close: () => rm(folder, { recursive: true, force: true }) };
}
