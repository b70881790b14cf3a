/** The page to play with in browsers that no DevTools protocol drives: a page around it works it, and tells what it shows. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Report, Run } from '../../../src/model/documents/report.ts';
import type { BrowserName } from '../../../src/model/names.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { startBrowser } from '../../../src/runtimes/browser/browser.ts';
import { BROWSERS } from '../../../src/runtimes/browser/kinds.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { realCli } from '../../support/real-cli.ts';
import { envWith, missing, runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { usually } from '../../support/whole.ts';
import { ISOLATED, playgroundHost, type Shown, type Step } from './host.ts';

after(killAll);

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
async function pastedFixtures(temp: string): Promise<{ steps: Step[]; files: string[] }> {
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
async function saidByCommand(browser: FoundRuntime, files: readonly string[]) {
  const args = ['analyze', ...files, '--no-measure', '-r', browser.name, '-f', 'json'];
  const { stdout } = await realCli(args, { env: envWith(browser) });
  return runsOf([JSON.parse(stdout) as Report], browser);
}

const runsOf = (reports: readonly Report[], { name }: FoundRuntime): Run[] =>
  reports.flatMap(({ payloads }) =>
    payloads.map(({ id, error, runs }) => {
      const run = runs.find(({ runtime }) => runtime.name === name);
      assert.ok(run, `${id}: ${error?.message}`);
      return run;
    }),
  );

/** Both as facts. Where natives of V8 decide in the command what the page leaves open, nothing is compared. */
function compared(page: readonly Run[], command: readonly Run[], { engine }: FoundRuntime) {
  const kept = page.flatMap((run, at) => {
    const isOpen = engine === 'v8' && (run.verdict?.unknowns ?? []).length > 0;
    return isOpen ? [] : [[factsOf(run), factsOf(command[at]!)] as const];
  });
  return { page: kept.map(([own]) => own), command: kept.map(([, own]) => own) };
}

async function shownIn(name: BrowserName, steps: readonly Step[]): Promise<Shown> {
  const host = await playgroundHost(steps, ISOLATED);
  const browser = startBrowser(runtime(name), BROWSERS[name], `${host.url}/harness`);
  try {
    const died = browser.ended.then((error): never => {
      throw error;
    });
    return await Promise.race([host.shown, died]);
  } finally {
    browser.kill();
    await browser.ended;
    host.close();
  }
}

const ROWS = 'export default () => Array.from({ length: 50 }, (_, id) => ({ id, at: { x: id / 3 } }));';

for (const name of usually<BrowserName>([], ['firefox', 'webkit', 'chromium'])) {
  test(`${name}: the page agrees with the command on all fixtures, and shows all engines, round trips and advice`, {
    skip: missing(name),
  }, async () => {
    const { steps, files } = await pastedFixtures(tempFolder('page'));
    const last: Step = { text: ROWS, as: 'javascript', press: 'measure' };
    const [{ problem, verdicts, measured, reports }, command] = await Promise.all([
      shownIn(name, [...steps, last]),
      saidByCommand(runtime(name), files),
    ]);
    assert.equal(problem, '');
    const pages = runsOf(reports.slice(0, -1) as Report[], runtime(name));
    assert.equal(pages.length, command.length);
    const both = compared(pages, command, runtime(name));
    assert.ok(both.page.length > command.length / 2);
    assert.deepEqual(both.page, both.command);
    assert.match(verdicts, /^payload#default$/m);
    assert.match(verdicts, new RegExp(`^${name} [\\d.]+\\s+serialized`, 'm'));
    assert.match(verdicts, /^node newest\s+serialized\s*$/m);
    assert.match(verdicts, /^serialized · node newest.*\s+worker · about 1\.\d+ kB copied$/m);
    assert.match(verdicts, /Path: packed-array \(.+\)/);
    const [, median = ''] = /^round trip\t([\d.,]+) /m.exec(measured) ?? [];
    assert.ok(Number(median.replace(',', '')) > 0, measured);
    assert.match(measured, /^(?:Post it as it is|Not decided)|faster/m);
  });
}
