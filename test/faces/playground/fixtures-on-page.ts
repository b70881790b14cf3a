/** Fixtures as the page to play with takes them, and what the command says of the same in the same browser. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Report, Run } from '../../../src/model/documents/report.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { realCli } from '../../support/real-cli.ts';
import { envWith } from '../../support/runtimes.ts';
import type { Step } from './host.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));
const DATA = ['orders.json', 'article.txt', 'rows.json', 'store.json', 'catalog.json'];

/** What no page has, and what is posted otherwise. */
const NOT_FOR_PAGES =
  /from 'node:|import\(|\b(Bun|Deno|process|Buffer)\b|export const (channel|runtimes|transfer)\b/;

/** The payload modules as one module, with an export for each of their values. */
async function manyPayloads(): Promise<string> {
  const folder = join(fixtures, 'payloads');
  const lines = readdirSync(folder).flatMap((name) => {
    const code = readFileSync(join(folder, name), 'utf8');
    const id = name.replace(/\.js$/, '').replaceAll('-', '_');
    return /export const nearMiss\b/.test(code) && !NOT_FOR_PAGES.test(code)
      ? [`export { fires as ${id}, nearMiss as not_${id} } from './${name}';`]
      : [];
  });
  const stdin = { contents: lines.join('\n'), resolveDir: folder };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false });
  return outputFiles[0]!.text;
}

/** What is pasted, and files of the same for the command. */
export async function pastedFixtures(temp: string): Promise<{ steps: Step[]; files: string[] }> {
  const module = join(temp, 'payload.mjs');
  writeFileSync(module, await manyPayloads());
  const files = [...DATA.map((name) => join(fixtures, name)), module];
  const as = { json: 'json', txt: 'text', mjs: 'javascript' } as const;
  const steps = files.map((file): Step => {
    const ending = file.slice(file.lastIndexOf('.') + 1) as keyof typeof as;
    return { text: readFileSync(file, 'utf8'), as: as[ending], press: 'classify' };
  });
  return { steps, files };
}

/** What both must say. The page is asked what engines tell, and is not told what only natives of V8 do. */
function factsOf({ status, verdict, findings, bytes }: Run) {
  const { path, class: cost, blockers = [], unknowns = [] } = verdict ?? {};
  return { status, path, cost, blockers, unknowns, findings, bytes };
}

/** By the export, or the order of the data files. */
export async function saidByCommand(browser: FoundRuntime, files: readonly string[]) {
  const args = ['analyze', ...files, '--no-measure', '-r', browser.name, '-f', 'json'];
  const { stdout } = await realCli(args, { env: envWith(browser) });
  return runsOf([JSON.parse(stdout) as Report], browser);
}

export const runsOf = (reports: readonly Report[], { name }: FoundRuntime): Run[] =>
  reports.flatMap(({ payloads }) =>
    payloads.map(({ id, error, runs }) => {
      const run = runs.find(({ runtime }) => runtime.name === name);
      assert.ok(run, `${id}: ${error?.message}`);
      return run;
    }),
  );

/** Both as facts. Where natives of V8 decide in the command what the page leaves open, nothing is compared. */
export function compared(page: readonly Run[], command: readonly Run[], { engine }: FoundRuntime) {
  const kept = page.flatMap((run, at) => {
    const isOpen = engine === 'v8' && (run.verdict?.unknowns ?? []).length > 0;
    return isOpen ? [] : [[factsOf(run), factsOf(command[at]!)] as const];
  });
  return { page: kept.map(([own]) => own), command: kept.map(([, own]) => own) };
}
