import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RewriteSlice } from '../rivals/rewrites-run.ts';
import type { Contest } from './contest.ts';

const DEADLINE_MS = 120_000;

/** A process of mitata or tinybench. `ms()` counts from its start; waiting for the next slice is left out. */
export async function openRival(
  rival: string,
  { file, payload, runtime, rewrites }: Contest,
  folder: string,
) {
  const began = performance.now();
  const ask = JSON.stringify({ rival, file, rewrites });
  const child = spawn(runtime.binary, [join(folder, 'rewrites-run.mjs'), ask], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: DEADLINE_MS,
  });
  const ended = new Promise((done) => child.on('close', done));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${rival} ended on ${payload} of ${runtime.name}`);
    return value;
  };
  await line();
  let ms = performance.now() - began;
  return {
    ms: () => ms,
    /** Samples of each rewrite, ns. Null: for as long as the library usually takes. */
    async slice(sliceMs: number | null): Promise<number[][]> {
      child.stdin.write(`${sliceMs}\n`);
      const { elapsedMs, samples } = JSON.parse(await line()) as RewriteSlice;
      ms += elapsedMs;
      return samples;
    },
    async end(): Promise<void> {
      child.stdin.end();
      await ended;
    },
  };
}
