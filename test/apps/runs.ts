/** One program or page of the corpus: run plain, with the recorder, and with the counter. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recording } from '../../src/model/documents/recorded/recording.ts';
import { parseRecording, readThreads } from '../../src/record/files/recording-files.ts';
import { prepareRecording, recorder } from '../../src/record/program/recorder.ts';
import { filesOfFrames } from '../../src/record/threads/recording.ts';
import { sampleBytes } from '../../src/record/threads/sample-bytes.ts';
import { openedSite, recordedSite, withSite } from '../record/program/site.ts';
import { countedIn } from '../support/count-bytes.ts';
import { putFiles } from '../support/git-repository.ts';
import { merged } from '../support/merged.ts';
import { envWith, runtime } from '../support/runtimes.ts';
import { type Ended, endOf, ROOT, runProgram } from '../support/spawn-cli.ts';
import type { App } from './corpus/apps.ts';
import { type Counted, counted, countedOf, type Posted } from './counter/counted.ts';
import type * as told from './counter/told-value.cjs';
import type * as wire from './counter/wire.cjs';

/** `files`: a hash of all that lies in the folder when the program has ended. */
type Run = Ended & { files: string };

// A program: each time in a folder with its files alone.

/** @param folder is emptied @param modules that its packages are in */
function prepare({ files }: App, folder: string, modules: string): void {
  rmSync(folder, { recursive: true, force: true });
  putFiles(folder, { 'package.json': '{"private":true,"type":"module"}', ...files });
  symlinkSync(modules, join(folder, 'node_modules'));
}

function filesHash(folder: string): string {
  const hash = createHash('sha256');
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((one) => one.isFile());
  for (const path of entries.map((one) => join(one.parentPath, one.name)).sort())
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

async function run(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Run> {
  const own = { ...env, FORCE_COLOR: undefined, NODE_TEST_CONTEXT: undefined, NO_COLOR: '1' };
  const ended = await endOf(runProgram(command, { cwd, env: own }));
  return { ...ended, files: filesHash(cwd) };
}

export interface Place {
  /** Of the program alone: emptied before each run. */
  folder: string;
  /** Beside it, for what is written about the program. */
  outside: string;
  modules: string;
}

export interface Runs {
  plain: [Run, Run];
  recorded: Run;
  told: Recording;
}

function once(app: App, { folder, modules }: Place, env: NodeJS.ProcessEnv, before: readonly string[] = []) {
  prepare(app, folder, modules);
  const found = app.runtime === undefined ? process.env : envWith(runtime(app.runtime));
  return run([...before, ...app.command], folder, { ...found, ...app.env, ...env });
}

async function programRuns(app: App, place: Place): Promise<Runs> {
  const file = join(place.outside, 'app.cprof');
  const cli = [process.execPath, join(ROOT, 'bin/clone-prof.js'), 'record', '-o', file, '--'];
  const plain: Runs['plain'] = [await once(app, place, {}), await once(app, place, {})];
  const recorded = await once(app, place, {}, cli);
  return { plain, recorded, told: parseRecording(readFileSync(file, 'utf8'), file) };
}

interface CountedRun {
  code: number | null;
  told: Recording;
  counted: Counted;
}

const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
export const TOLD_VALUE = readFileSync(fileBeside('counter/told-value.cjs'), 'utf8');
const COUNTER_FOR_WEB = `${TOLD_VALUE}\n${readFileSync(fileBeside('counter/posted-web.mjs'), 'utf8')}`;

/** The counter in a further plain run, beside what was recorded of another one. */
async function countedAlone(app: App, place: Place, { told }: Runs): Promise<CountedRun> {
  const folder = join(place.outside, 'counted');
  mkdirSync(folder);
  const counting = { ...app, files: { ...app.files, 'counter.js': COUNTER_FOR_WEB } };
  const { code } = await once(counting, place, { POSTED_FOLDER: folder });
  return { code, told, counted: counted(folder, place.folder) };
}

const COUNTER = fileBeside('counter/posted.cjs');
const TAP = join(ROOT, 'dist/tap/');

/**
 * Recorder and counter in one run. The counter is loaded first, so that it is below the recorder and no frame of it is on the
 * stacks that this one reads.
 */
async function countedBeside(app: App, where: Place): Promise<CountedRun> {
  const { folder: root, outside } = where;
  const [threads, counts] = [join(outside, 'threads'), join(outside, 'counted')];
  for (const folder of [threads, counts]) mkdirSync(folder);
  const preload = join(counts, 'counter.cjs');
  const [counter, given] = [JSON.stringify(COUNTER), JSON.stringify([counts, TAP])];
  writeFileSync(preload, `require(${counter}).start(...${given});`);
  const settings = { values: 'none' as const, doctor: false };
  const { NODE_OPTIONS, ...others } = await prepareRecording(threads, settings);
  const both = `--require ${JSON.stringify(preload)} ${NODE_OPTIONS}`;
  const env = { ...others, NODE_OPTIONS: both };
  // Where the recorder follows a worker or child with an environment of its own, the counter does too.
  const place = join(threads, 'settings.json');
  const text = readFileSync(place, 'utf8');
  writeFileSync(
    place,
    text.replace(JSON.stringify(NODE_OPTIONS), () => JSON.stringify(both)),
  );
  const { code } = await once(app, where, env);
  const { threads: all } = readThreads(threads);
  const bytesOf = await sampleBytes(all, countedIn(threads));
  const mapFrame = await recorder.mapFrames(root, filesOfFrames(all));
  return { code, told: merged(all, root, bytesOf, mapFrame), counted: counted(counts, root) };
}

// A page, opened in Chromium.

const require = createRequire(import.meta.url);
const { madeValue } = require('./counter/told-value.cjs') as typeof told;
const { wireBytes } = require('./counter/wire.cjs') as typeof wire;

const asFiles = ({ files }: App): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`/${name.replace('index.html', '')}`, text]),
  );

const asRun = (said: readonly string[]): Run => ({ code: 0, stdout: said.join('\n'), stderr: '', files: '' });

async function opened(files: Readonly<Record<string, string>>): Promise<string[]> {
  return withSite(files, {}, async (site) => {
    await openedSite(site);
    return site.said;
  });
}

async function pageRuns(app: App): Promise<Runs> {
  const files = asFiles(app);
  const plain: Runs['plain'] = [asRun(await opened(files)), asRun(await opened(files))];
  return withSite(files, {}, async (site) => {
    const told = await recordedSite(site);
    return { plain, recorded: asRun(site.said), told };
  });
}

const POSTED = 'posted ';

async function countedPage(app: App, { told }: Runs): Promise<CountedRun> {
  const said = await opened({ ...asFiles(app), '/counter.js': COUNTER_FOR_WEB });
  const lines = said.filter((line) => line.startsWith(POSTED)).map((line) => line.slice(POSTED.length));
  // How many threads it has is not counted.
  return { code: 0, told, counted: { ...pageCount(lines), threads: told.header.threads } };
}

/** Messages are made again of what was told of them. */
function pageCount(told: readonly string[]): Omit<Counted, 'threads'> {
  const lines = told.map((line) => {
    const { message, ...one } = JSON.parse(line) as { api: string; message: Posted | null; threw?: true };
    const size = message === null ? null : sizeOf(message.told);
    return { ...one, site: '', bytes: size, message: message && { ...message, size } };
  });
  return countedOf(lines, '');
}

function sizeOf(told: unknown): number | null {
  const { value, transfer } = madeValue(told);
  return wireBytes(value, transfer);
}

const isPage = ({ runtime }: App): boolean => runtime === 'chromium';

export const runsOf = (app: App, place: Place): Promise<Runs> =>
  isPage(app) ? pageRuns(app) : programRuns(app, place);

export function countedRun(app: App, place: Place, runs: Runs): Promise<CountedRun> {
  if (isPage(app)) return countedPage(app, runs);
  return app.importsCounter ? countedAlone(app, place, runs) : countedBeside(app, place);
}
