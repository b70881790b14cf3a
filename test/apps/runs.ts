/** One program, run plain and recorded, each time in a folder with its files alone. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recording } from '../../src/model/documents/recorded/recording.ts';
import { parseRecording, readThreads } from '../../src/record/files/recording-files.ts';
import { prepareRecording, recorder } from '../../src/record/program/recorder.ts';
import { filesOfFrames } from '../../src/record/threads/recording.ts';
import { sampleBytes } from '../../src/record/threads/sample-bytes.ts';
import { countedIn } from '../support/count-bytes.ts';
import { putFiles } from '../support/git-repository.ts';
import { merged } from '../support/merged.ts';
import { envWith, runtime } from '../support/runtimes.ts';
import { type Ended, endOf, ROOT, runProgram } from '../support/spawn-cli.ts';
import type { App } from './corpus/app.ts';
import { type Counted, counted } from './counter/counted.ts';

/** `files`: a hash of all that lies in the folder when the program has ended. */
export type Run = Ended & { files: string };

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

export async function runsOf(app: App, place: Place): Promise<Runs> {
  const file = join(place.outside, 'app.cprof');
  const cli = [process.execPath, join(ROOT, 'bin/clone-prof.js'), 'record', '-o', file, '--'];
  const plain: Runs['plain'] = [await once(app, place, {}), await once(app, place, {})];
  const recorded = await once(app, place, {}, cli);
  return { plain, recorded, told: parseRecording(readFileSync(file, 'utf8'), file) };
}

export interface CountedRun {
  code: number | null;
  told: Recording;
  counted: Counted;
}

const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
export const TOLD_VALUE = readFileSync(fileBeside('counter/told-value.cjs'), 'utf8');
export const COUNTER_FOR_WEB = `${TOLD_VALUE}\n${readFileSync(fileBeside('counter/posted-web.mjs'), 'utf8')}`;

/** The counter in a further plain run, beside what was recorded of another one. */
export async function countedAlone(app: App, place: Place, { told }: Runs): Promise<CountedRun> {
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
export async function countedBeside(app: App, where: Place): Promise<CountedRun> {
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
