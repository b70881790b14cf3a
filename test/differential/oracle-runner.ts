/** Builds values from sources and asks the oracle in real runtimes, some hundreds per process. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { bundleScript, runScript } from '../support/run-script.ts';
import type { Answer } from './in-runtime.ts';

export interface ValueRunner<A> {
  /** An answer for each source, in order; an Error where the runtime crashed. */
  ask(runtime: FoundRuntime, sources: readonly string[]): Promise<(A | Error)[]>;
  close(): Promise<void>;
}
export type OracleRunner = ValueRunner<Answer>;

export const oracleRunner = (): Promise<OracleRunner> => valueRunner<Answer>('./in-runtime.ts');

/** @param entry file beside this one that answers for each source, with the arguments of in-runtime.ts */
export async function valueRunner<A>(entry: string, ...args: readonly string[]): Promise<ValueRunner<A>> {
  const folder = await mkdtemp(join(tmpdir(), 'clone-prof-differential-'));
  const script = join(folder, 'in-runtime.mjs');
  await bundleScript(fileURLToPath(new URL(entry, import.meta.url)), script);
  const peer = new URL('../../src/guest/entries/process/peer.ts', import.meta.url);
  await bundleScript(fileURLToPath(peer), join(folder, 'peer.mjs'));
  let asked = 0;
  const answered = async (runtime: FoundRuntime, sources: readonly string[]): Promise<A[]> => {
    const stem = join(folder, `${runtime.name}-${asked++}`);
    await writeFile(`${stem}.in`, JSON.stringify(sources));
    await runScript(runtime, [script, `${stem}.out`, `${stem}.in`, ...args]);
    const answers = JSON.parse(await readFile(`${stem}.out`, 'utf8')) as A[];
    await Promise.all([rm(`${stem}.in`), rm(`${stem}.out`)]);
    return answers;
  };
  const ask: ValueRunner<A>['ask'] = async (runtime, sources) => {
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
