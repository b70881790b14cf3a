/** Prepares this machine to run a program with the recorder in it. */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageFile } from '../../machine/package-file.ts';
import { orElse } from '../../model/or-else.ts';
import {
  FOLDER_VARIABLE,
  type ProcessTapSettings,
  ROOM_FILE,
  type TapSettings,
} from '../../model/recording/settings.ts';
import type { ByteRequest, SizedSample } from '../../model/recording/sizes.ts';
import type { Environment } from '../process/kind.ts';
import { type ProgramExit, type ProgramOptions, runProgram } from '../process/recorded-program.ts';
import { runToEnd } from '../process/run-to-end.ts';
import { endWithVariable, isInEnvironments } from '../process/supervisor.ts';
import { filesBelow, frameMapper, loadedFrom } from './frame-mapper.ts';
import { type PageOptions, type RecordedPage, recordPage } from './page/record-page.ts';

const TIMEOUT_MS = 60_000;
/** Maximum number of messages that one process measures. */
const MAX_REQUESTS = 20_000;

/** Access for the user alone. */
const OWN = { mode: 0o600 };

interface CountOptions {
  /** Path of a Bun binary; null: use this program's own runtime, which writes the same bytes as others with V8. */
  binary: string | null;
  /** Empty, the user's own (mode 700). */
  folder: string;
  env: Environment;
}

/** @returns null for messages that could not be counted */
export async function countBytes(
  requests: readonly ByteRequest[],
  { binary, folder, env }: CountOptions,
): Promise<SizedSample[]> {
  const asked = requests.slice(0, MAX_REQUESTS);
  const [file, told] = [join(folder, 'requests.json'), join(folder, 'sizes.json')];
  await writeFile(file, asked.map((one) => `${JSON.stringify(one)}\n`).join(''), OWN);
  const counter = packageFile('dist/guest/sizes.mjs');
  const args = binary === null ? [] : ['--no-install', `--config=${devNull}`, `--env-file=${devNull}`];
  await runToEnd(binary ?? process.execPath, [...args, counter, file, told], {
    ...{ cwd: folder, timeoutMs: TIMEOUT_MS },
    env: { ...env, NODE_OPTIONS: undefined, BUN_OPTIONS: undefined, NODE_V8_COVERAGE: undefined },
  }).catch(() => undefined);
  const lines = (await readFile(told, 'utf8').catch(() => '')).split('\n');
  const answers = lines.map((line) => orElse(() => JSON.parse(line) as SizedSample, null));
  return requests.map((_, i) => answers[i] ?? null);
}

/**
 * Path of the file that starts the recorder, which every program can read. Bun does not find files below a folder with a
 * question mark in its name; files in an archive of Yarn are found by Yarn's loader alone, which may come later: they are
 * copied.
 */
async function readableTap(folder: string): Promise<string> {
  const own = packageFile('dist/tap/tap.cjs');
  if (!/\?|\.zip[\\/]/.test(own)) return own;
  for (const name of ['tap', 'node', 'deno', 'bun'])
    await writeFile(join(folder, `${name}.cjs`), await readFile(join(dirname(own), `${name}.cjs`)), OWN);
  return join(folder, 'tap.cjs');
}

/** Child processes that end with the program may take a moment: maximum number of checks. */
const LOOKS = 5;
const PAUSE_MS = 20;

/** Enough for the counters of some threads, and for what they have seen. */
const ROOM_BYTES = 128 * 1024;

/** Returns true if a process that the program has started is known to be running. */
async function hasLeft(folder: string): Promise<boolean> {
  for (let look = 0; isInEnvironments(folder); look++) {
    if (look === LOOKS) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

export type RecordingSettings = Pick<TapSettings, 'values' | 'doctor'>;

/**
 * @param folder empty, the user's own (mode 700): for the files of threads
 * @param env of the command @returns its variables that change: the recorder's option, then the value that was there
 */
export async function prepareRecording(
  folder: string,
  settings: RecordingSettings,
  env: ProgramOptions['env'] = {},
): Promise<Record<string, string>> {
  const tap = await readableTap(folder);
  const environment = [
    { name: 'NODE_OPTIONS', option: `--require ${quoted(tap)}` },
    { name: 'BUN_OPTIONS', option: quoted(`--preload=${tap}`) },
    { name: FOLDER_VARIABLE, option: folder },
  ];
  const all: ProcessTapSettings = {
    ...{ ...settings, startedAt: Date.now(), salt: randomBytes(12).toString('hex') },
    environment,
  };
  await writeFile(join(folder, ROOM_FILE), Buffer.alloc(ROOM_BYTES, 'x'), OWN);
  await writeFile(join(folder, 'settings.json'), JSON.stringify(all), OWN);
  const variables = environment.map(({ name, option }) => [name, `${option} ${env[name] ?? ''}`.trimEnd()]);
  return Object.fromEntries(variables) as Record<string, string>;
}

/** Inside quotes, both variables take a backslash before a backslash or a quote. */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;

export type Recorder = typeof recorder;

export const recorder = {
  /**
   * @param options `folder`, empty: threads will write into it; null: the command runs without the recorder
   * @returns `hasLeft`: processes that it started are still running; `isFull`: no space was left for the recording
   */
  async run(
    command: readonly string[],
    options: Omit<ProgramOptions, 'endRest'> & { folder: string | null; settings: RecordingSettings },
  ): Promise<{ exit: ProgramExit; hasLeft: boolean; isFull: boolean }> {
    const { folder, settings, env, ...others } = options;
    if (folder === null)
      return { exit: await runProgram(command, { env, ...others }), hasLeft: false, isFull: false };
    const ours = await prepareRecording(folder, settings, env);
    const endRest = () => endWithVariable(folder);
    const exit = await runProgram(command, { ...others, env: { ...env, ...ours }, endRest });
    const isFull = !existsSync(join(folder, ROOM_FILE));
    return { exit, hasLeft: await hasLeft(folder), isFull };
  },
  /** Maps frames of a program or a page. @param root folder of the command, absolute, or address of the page */
  mapFrames: (root: string, files: readonly string[]) =>
    frameMapper(isAbsolute(root) ? filesBelow(root) : loadedFrom(root), files),
  countBytes,
  /** Opens a page with the recorder in it. @throws ToolError 'page-unreachable' */
  async recordPage({
    headless,
    ...options
  }: Omit<PageOptions, 'isHeadless'> & { headless: boolean }): Promise<RecordedPage> {
    // macOS and Windows always have a display.
    const { DISPLAY, WAYLAND_DISPLAY } = options.env;
    const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
    return recordPage({ ...options, isHeadless: headless || !hasDisplay });
  },
};
