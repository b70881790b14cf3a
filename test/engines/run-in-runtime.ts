/** Runs a script of test/engines/in-runtime/ in a real runtime and reads its answer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundleScript, runScript } from '../support/run-script.ts';
import { type RuntimeSpec, runtime } from '../support/runtimes.ts';

const scripts = fileURLToPath(new URL('./in-runtime/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'clone-prof-engines-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const bundled = new Map<string, Promise<void>>();

/** @throws when the script fails, with what it printed */
export async function answerOf<T>(spec: RuntimeSpec, name: string, args: readonly string[] = []): Promise<T> {
  const script = join(folder, `${name}.mjs`);
  const bundling = bundled.get(name) ?? bundleScript(join(scripts, `${name}.ts`), script);
  bundled.set(name, bundling);
  await bundling;
  const answer = join(folder, `${name} ${spec}.json`);
  await runScript(runtime(spec), [script, answer, ...args]);
  return JSON.parse(await readFile(answer, 'utf8')) as T;
}
