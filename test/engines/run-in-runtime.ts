import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScript, runScript } from '../support/run-script.ts';
import { type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const scripts = fileURLToPath(new URL('./in-runtime/', import.meta.url));
const folder = tempFolder('engines');

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
