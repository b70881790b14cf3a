/** The whole program with real browsers: facts are compared, and words without numbers. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchema } from '../../../src/app/store/documents.ts';
import type { Report, Run } from '../../../src/model/documents/report.ts';
import type { BrowserName } from '../../../src/model/names.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { marked, until } from '../../support/child-processes.ts';
import { TEST_BROWSERS } from '../../support/fetched.ts';
import { realCli } from '../../support/real-cli.ts';
import { envWith, testOnBrowsers } from '../../support/runtimes.ts';
import { type Ended, spawnCli } from '../../support/spawn-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { assertTimed } from '../../support/timed.ts';
import { usually } from '../../support/whole.ts';

/** Of the built program: profiles lie in it, and each browser has one as its home, so its path marks what a run leaves. */
const temp = mkdtempSync(join(tmpdir(), 'clone-prof-browsers-'));
after(async () => {
  killAll();
  await until(
    () => marked(temp).length === 0,
    () => `still running: ${marked(temp).join('\n')}`,
  );
  assert.deepEqual(readdirSync(temp), []);
  rmSync(temp, { recursive: true });
});

const validate = new Ajv2020({ allErrors: true }).compile(jsonSchema('report.schema.json'));

type Program = typeof realCli;
const builtCli: Program = (args, options) => spawnCli(args, { env: { ...options?.env, TMPDIR: temp } });

/** `-r <its name>` finds this browser before any other. Runs in this process share its browsers. */
function analyze(
  { name, binary }: { name: string; binary: string },
  args: readonly string[],
  program: Program = realCli,
): Promise<Ended> {
  const env = { ...envWith({ binary }), COLUMNS: '80', NO_COLOR: '1' };
  return program(['analyze', '-r', name, ...args], { env });
}

/** What it prints for the terminal, and the run of each payload. */
async function reported(
  browser: FoundRuntime,
  args: readonly string[],
  program?: Program,
): Promise<{ text: string; runs: Record<string, Run> }> {
  const file = join(temp, `${browser.name}.json`);
  const { code, stdout, stderr } = await analyze(
    browser,
    [...args, '--details', '-f', 'terminal', `json=${file}`],
    program,
  );
  assert.equal(code, 0, stderr);
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  assert.equal(validate(report), true, JSON.stringify(validate.errors));
  const { name, version, engine } = browser;
  const runs = report.payloads.flatMap(({ id, runs: all }) =>
    all.map((run): [string, Run] => {
      assert.deepEqual(run.runtime, { name, version, engine });
      return [all.length === 1 ? id : run.channel, run];
    }),
  );
  return { text: stdout, runs: Object.fromEntries(runs) };
}

/** The paths of orders.json, rows.json and article.txt. */
const PATHS: Readonly<Record<BrowserName, readonly string[]>> = {
  chromium: ['fast-object', 'packed-array', 'one-byte-string'],
  firefox: ['serializer', 'serializer', 'string-shared'],
  webkit: ['serializer', 'serializer', 'serializer'],
};
const FILES = ['fixtures/orders.json', 'fixtures/rows.json', 'fixtures/article.txt'];

function assertMeasured(run: Run): void {
  assert.equal(run.status, 'measured', JSON.stringify(run.error));
  const { roundTrip, floor } = run.measurement!;
  assert.notEqual(roundTrip.samples, 0);
  assertTimed({ roundTrip: roundTrip.median, floor: floor.roundTrip });
  const proven = run.trials.filter(({ equality }) => equality === 'equal').map(({ remedy }) => remedy);
  assert.ok(proven.includes('json-text') && proven.includes('compiled'), proven.join());
  assert.ok(run.advice);
}

function assertPrinted(text: string, { name, version }: FoundRuntime): void {
  assert.match(text, new RegExp(`^serialized · ${name} ${version.replaceAll('.', '\\.')} · worker`, 'm'));
  assert.match(text, new RegExp(`^ {2}rewrites tried on ${name} [\\d.]+, worker$`, 'm'));
  assert.match(text, /^ +median .*95 % interval/m);
}

/** Objects of 30 and of 100 computed keys, of which V8 stores the second otherwise in a thread that has received the first. */
const DICTIONARIES = ['bench/studies/payloads.js', '-e', 'keys30', 'keys100'];

const noMeasure = async (browser: FoundRuntime) => {
  const dictionaries = await reported(browser, [...DICTIONARIES, '--no-measure']);
  const { 'payloads#keys30': some, 'payloads#keys100': many } = dictionaries.runs;
  const isV8 = browser.engine === 'v8';
  for (const { verdict, builtLater } of [some!, many!]) {
    const expected = isV8 ? ['dictionary-object', true, '$'] : ['serializer', null, undefined];
    assert.deepEqual([verdict?.path, verdict?.confirmed, builtLater?.path], expected);
  }
  const { text, runs } = await reported(browser, [...FILES, '--no-measure']);
  for (const printed of [text, dictionaries.text]) assert.doesNotMatch(printed, /round trip/);
  const classified = Object.values(runs).map(({ status, measurement, error }) => [
    status,
    measurement,
    error,
  ]);
  assert.deepEqual(classified, Array(3).fill(['classified', null, null]));
  const paths = Object.values(runs).map(({ verdict }) => verdict?.path);
  assert.deepEqual(paths, PATHS[browser.name as BrowserName]);
};

const frameAndDatabase = async (browser: FoundRuntime) => {
  const args = [FILES[0]!, '-c', 'worker', 'window', 'indexeddb', '-b', '100ms'];
  const { text, runs } = await reported(browser, args, builtCli);
  assertPrinted(text, browser);
  assertMeasured(runs.worker!);
  assert.equal(runs.worker!.verdict?.path, PATHS[browser.name as BrowserName][0]);
  assert.match(text, new RegExp(`^serialized · ${browser.name} [\\d.]+ · window`, 'm'));
  assert.match(text, /^ +transaction +[\d.]+ /m);
  const { database, phases } = runs.indexeddb!.measurement!;
  assertTimed({ transaction: database!.transaction.median });
  assert.deepEqual([database!.result === null, phases], [browser.name === 'firefox', null]);
  for (const { remedy, equality, blocksNs } of runs.indexeddb!.trials) {
    assert.notEqual(remedy, 'share');
    if (equality === 'equal' && blocksNs !== undefined) assertTimed({ [remedy]: blocksNs });
  }
  const { channel, status, measurement, trials } = runs.window!;
  assert.deepEqual([channel, status], ['window', 'measured']);
  assertTimed({ send: measurement!.send!.median });
  assert.deepEqual([measurement!.receive, measurement!.floor.receive], [null, null]);
  assert.ok(trials.some(({ remedy, equality }) => remedy === 'json-text' && equality === 'equal'));
};

/** Its profile has room for 8 MiB: what a full disk does, by a preference. */
const withoutRoom = async ({ name, binary }: FoundRuntime) => {
  const folder = tempFolder('no room');
  const payload = join(folder, 'large.mjs');
  writeFileSync(
    payload,
    'export const large = () => Array.from({ length: 400 }, () => crypto.getRandomValues(new Uint8Array(65536)));',
  );
  const limited = join(folder, name);
  const limit = 'user_pref("dom.quotaManager.temporaryStorage.fixedLimit", 8192);';
  const script = `#!/bin/sh
for one; do
  [ "$before" = --profile ] && echo '${limit}' >> "$one/user.js"
  before=$one
done
exec '${binary}' "$@"
`;
  writeFileSync(limited, script, { mode: 0o755 });
  const args = [payload, '-c', 'indexeddb', '-b', '200ms'];
  const { code, stderr } = await analyze({ name, binary: limited }, args, builtCli);
  assert.match(
    stderr,
    /over indexeddb: could not be measured: the browser has no room for it in IndexedDB \(QuotaExceededError\)\. Free space .*\n$/,
  );
  assert.equal(code, 3);
};

/** The others show above that they are measured and classified, and in runtimes/browser/window that they post to frames. */
const USUAL = usually<BrowserName>(['chromium'], TEST_BROWSERS.slice(1));

testOnBrowsers(
  '--no-measure: objects, records and text are classified',
  noMeasure,
  usually([], TEST_BROWSERS),
);
testOnBrowsers(
  'a payload is measured: verdict, floor, proven rewrites, advice; to a frame of the page and its database too',
  frameAndDatabase,
  USUAL,
);
testOnBrowsers('a database without room is one line on stderr', withoutRoom, usually([], ['firefox']));
