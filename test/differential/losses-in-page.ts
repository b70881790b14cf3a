/** The same as losses-in-runtime.ts in a page of a browser: a guest describes each value, and posts a fresh one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GuestSlot } from '../../src/app/job/guest-slot.ts';
import { bundleForPage } from '../../src/app/sources/bundle.ts';
import type { Channel } from '../../src/model/names.ts';
import type { Recipe } from '../../src/model/report/recipe.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { runtimeDriver } from '../../src/runtimes/driver.ts';
import type { LossAnswer } from './losses-in-runtime.ts';
import type { ValueRunner } from './oracle-runner.ts';

const DEADLINE_MS = 60_000;
const BUILT = JSON.stringify(fileURLToPath(new URL('./built-in-page.ts', import.meta.url)));

const moduleOf = (sources: readonly string[]): string =>
  [
    `import { built } from ${BUILT};`,
    ...sources.map((source, at) => `export const value${at} = () => built(${JSON.stringify(source)});`),
  ].join('\n');

export const recipeOf = (file: string, name: string): Recipe => ({
  id: name,
  source: { file, export: name },
  build: { form: 'module', file, original: file, export: name },
});

export const guestSlot = (runtime: FoundRuntime, folder: string, timeoutMs = DEADLINE_MS): GuestSlot =>
  new GuestSlot({ driver: runtimeDriver(bundleForPage) }, runtime, { timeoutMs, cwd: folder });

/** Runs code in a guest: JSON text of what an export of a module gives. */
export async function resultInGuest(slot: GuestSlot, file: string, name: string): Promise<string | null> {
  const terms = { file, deadlineMs: slot.timeoutMs };
  const recipe = recipeOf(file, name);
  return (await slot.ask({ type: 'sample', recipe, mostBytes: Number.MAX_SAFE_INTEGER }, terms)).json;
}

/** One guest for all values, until it ends. */
export async function pageRunner(channel: Channel): Promise<ValueRunner<LossAnswer>> {
  const folder = await mkdtemp(join(tmpdir(), 'clone-prof-differential-'));
  let slot: GuestSlot | null = null;
  let asked = 0;
  async function answered(file: string, name: string): Promise<LossAnswer | Error> {
    const recipe = recipeOf(file, name);
    const terms = { file, deadlineMs: DEADLINE_MS };
    try {
      const { shape } = await slot!.ask({ type: 'describe', recipe, channel, confirm: false }, terms);
      const { losses, refused } = await slot!.ask({ type: 'losses', recipe, channel }, terms);
      return { shape, losses, refused };
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
  return {
    async ask(runtime: FoundRuntime, sources: readonly string[]) {
      slot ??= guestSlot(runtime, folder);
      const file = join(folder, `values${asked++}.mjs`);
      await writeFile(file, moduleOf(sources));
      const answers: (LossAnswer | Error)[] = [];
      for (const at of sources.keys()) answers.push(await answered(file, `value${at}`));
      return answers;
    },
    async close() {
      await slot?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
