/** Loads the recorder into a thread, before the program's own code. Each runtime loads its own file. */
import { FOLDER_VARIABLE, HANDOVER } from '../../../model/recording/recording.ts';
import type { Handover, Loaded } from '../process/thread.ts';

declare const Bun: unknown;
declare const Deno: unknown;

const runtime = typeof Bun === 'object' ? 'bun' : typeof Deno === 'object' ? 'deno' : 'node';
const file = `${__dirname}/${runtime}.cjs`;

/** Compiles and evaluates the recorder of Node: with what the thread that started this one has compiled, if it gave that. */
function loadInNode(folder: string): void {
  const { getEnvironmentData } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { Script } = require('node:vm') as typeof import('node:vm');
  const given = (getEnvironmentData(HANDOVER) as Handover | undefined)?.compiled;
  const { readFileSync } = require('node:fs') as typeof import('node:fs');
  const text = given?.text ?? `(function (module, require) {${readFileSync(file, 'utf8')}\n})`;
  // V8 compiles the text if it rejects the cache, as when flags have changed since.
  const script = new Script(text, { filename: file, ...(given && { cachedData: given.cache }) });
  const loaded = { exports: {} as { start(folder: string, loaded: Loaded): void } };
  (script.runInThisContext() as (...scope: unknown[]) => void)(loaded, require);
  loaded.exports.start(folder, { text, script });
}

try {
  const folder = process.env[FOLDER_VARIABLE]!;
  if (runtime === 'node') loadInNode(folder);
  // This file is not bundled: the path is known here only.
  else (require(file) as { start(folder: string, tap: string): void }).start(folder, __filename);
} catch {
  // The program runs without the recorder.
}
