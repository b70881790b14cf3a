/** Prepares this machine to run a program with the recorder in it. */

import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageFile } from '../../machine/package-file.ts';
import { ownedFolder } from '../../machine/temp-folders.ts';
import { orElse } from '../../model/or-else.ts';
import { ROOM_FILE, type TapSettings } from '../../model/recording/settings.ts';
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
  await writeFile(file, asked.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 });
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

/** Access for the user alone, because the content of these files is run as code. */
const OWN = { mode: 0o600 };

const literal = (text: string): string => JSON.stringify(text);

/** @param tap expression for the path of the recorder @param folder for the files of threads */
const preloadOf = (tap: string, folder: string): string =>
  `try { require(${tap}).start(${literal(folder)}, __filename); } catch {}\n`;

/**
 * The files for NODE_OPTIONS and BUN_OPTIONS: they start the recorder in each thread, before the program's code.
 *
 * @param folder for the files of threads @param preload folder for these two files; the caller empties it
 * @returns the file for Node, which Deno from 2.6.8 on takes too, and the file for Bun
 */
async function writePreloads(folder: string, preload: string): Promise<{ node: string; bun: string }> {
  const [ofNode, ofDeno, ofBun] = await Promise.all(
    (['node', 'deno', 'bun'] as const).map(async (name) => literal(await readableTap(name, preload))),
  );
  const [node, bun] = [join(preload, 'tap.cjs'), join(preload, 'tap-bun.cjs')];
  await writeFile(node, preloadOf(`typeof Deno === 'object' ? ${ofDeno} : ${ofNode}`, folder), OWN);
  await writeFile(bun, preloadOf(ofBun!, folder), OWN);
  return { node, bun };
}

/**
 * Returns a path that every program can read. Bun does not find files below a folder with a question mark in its name;
 * files in an archive of Yarn are found by Yarn's loader alone, which may come later: they are copied.
 */
async function readableTap(name: 'node' | 'deno' | 'bun', preload: string): Promise<string> {
  const own = packageFile(`dist/tap/${name}.cjs`);
  if (!/\?|\.zip[\\/]/.test(own)) return own;
  const copy = join(preload, `own-${name}.cjs`);
  await writeFile(copy, await readFile(own), OWN);
  return copy;
}

/** Child processes that end with the program may take a moment: maximum number of checks. */
const LOOKS = 5;
const PAUSE_MS = 20;

/** Enough for the counters of some threads, and for what they have seen. */
const ROOM_BYTES = 128 * 1024;

/** Age at which a folder is removed if the platform does not report its users. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns true if a process may use the folder with the file that NODE_OPTIONS names. A program may leave processes
 * running that start workers and children later, and these would not start without the file. The folder stays while a
 * process may need it; it does not hold recorded data.
 */
const isInUse = (folder: string): boolean =>
  process.platform === 'linux' ? isInEnvironments(folder) : Date.now() - statSync(folder).mtimeMs < KEPT_MS;

/** Leaves a folder that may still be used to a later recording. @returns true if a process is known to use it */
async function removePreload(folder: string): Promise<boolean> {
  for (let look = 0; isInUse(folder); look++) {
    if (look === LOOKS) return process.platform === 'linux';
    await sleep(PAUSE_MS);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return false;
}

export type RecordingSettings = Pick<TapSettings, 'values' | 'doctor'>;

/**
 * @param folder empty, the user's own (mode 700): for the files of threads
 * @param preload the same or a different folder, which stays while a process may still load from it
 * @returns text for the recorded command's environment: goes before the existing value, separated by a space
 */
export async function prepareRecording(
  folder: string,
  settings: RecordingSettings,
  preload = folder,
): Promise<{ NODE_OPTIONS: string; BUN_OPTIONS: string }> {
  const all: TapSettings = { ...settings, startedAt: Date.now(), salt: randomBytes(12).toString('hex') };
  await writeFile(join(folder, ROOM_FILE), Buffer.alloc(ROOM_BYTES, 'x'), { mode: 0o600 });
  await writeFile(join(folder, 'settings.json'), JSON.stringify(all), { mode: 0o600 });
  const { node, bun } = await writePreloads(folder, preload);
  return { NODE_OPTIONS: `--require ${quoted(node)}`, BUN_OPTIONS: quoted(`--preload=${bun}`) };
}

/** Inside quotes, both variables take a backslash before a backslash or a quote. */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;

interface PreparedRecorder {
  /** Variables for the program's environment: the recorder's options, then the value that was there. */
  env: Record<string, string>;
  /** Folder that is in them. */
  preload: string;
  /** Folder for the files of threads. */
  folder: string;
}

type ProgramEnvironment = ProgramOptions['env'];

export type Recorder = typeof recorder;

export const recorder = {
  /** @param folder empty: threads will write into it */
  async prepare(
    folder: string,
    settings: RecordingSettings,
    env: ProgramEnvironment,
  ): Promise<PreparedRecorder> {
    const preload = ownedFolder('clone-prof-preload-', isInUse);
    const variables = Object.entries(
      await prepareRecording(folder, settings, preload).catch(async (error: unknown) => {
        await rm(preload, { recursive: true, force: true });
        throw error;
      }),
    );
    const merged = variables.map(([name, ours]) => [name, [ours, env[name] ?? ''].join(' ').trimEnd()]);
    return { env: Object.fromEntries(merged) as PreparedRecorder['env'], preload, folder };
  },
  /**
   * @param options `recorder` null: it runs without the recorder
   * @returns `hasLeft`: processes that it started are still running; `isFull`: no space was left for the recording
   */
  async run(
    command: readonly string[],
    {
      recorder: prepared,
      env,
      ...options
    }: Omit<ProgramOptions, 'endRest'> & { recorder: PreparedRecorder | null },
  ): Promise<{ exit: ProgramExit; hasLeft: boolean; isFull: boolean }> {
    if (prepared === null)
      return { exit: await runProgram(command, { env, ...options }), hasLeft: false, isFull: false };
    const { preload, folder, env: ours } = prepared;
    try {
      const endRest = () => endWithVariable(preload);
      const exit = await runProgram(command, { ...options, env: { ...env, ...ours }, endRest });
      const isFull = !existsSync(join(folder, ROOM_FILE));
      return { exit, hasLeft: await removePreload(preload), isFull };
    } catch (error) {
      await removePreload(preload);
      throw error;
    }
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
