/** Runs a program with the recorder in it, or opens a page in Chromium with the recorder in it. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { SourceMap, type SourceMapping } from 'node:module';
import { devNull } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isInside, packageFile } from '../../machine/folders.ts';
import { noSpaceLeft } from '../../machine/machine.ts';
import { deferred, onSignals, type Signals, timerMs } from '../../machine/waiting.ts';
import type { Frame } from '../../model/documents/recorded/recording.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import {
  type ByteRequest,
  FOLDER_VARIABLE,
  type KeptValues,
  type ProcessTapSettings,
  ROOM_FILE,
  type SizedSample,
  type TapSettings,
} from '../../model/recording/recording.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { DevTools, withProfile } from '../../runtimes/browser/browser.ts';
import { drivenArgs } from '../../runtimes/browser/kinds.ts';
import type { Environment } from '../../runtimes/process/kinds.ts';
import * as program from '../../runtimes/process/recorded-program.ts';
import { endWithVariable, isInEnvironments, runToEnd } from '../../runtimes/process/supervisor.ts';
import type { MapFrame } from '../threads/recorded-thread.ts';
import { type PageGone, PageThreads, Targets } from './page-targets.ts';

// The lines of the program's own sources, by the source maps of the files that it runs.

const MAX_BYTES = 32 * 2 ** 20;
const MAX_FILES = 1000;
const FETCH_MS = 5000;

/** The last such comment in a file names its source map. */
const COMMENT = '# sourceMappingURL=';

type Mapped = NonNullable<Awaited<ReturnType<typeof mapOf>>>;

async function frameMapper(root: string, files: readonly string[]): Promise<MapFrame> {
  const sources = sourcesOf(root);
  const maps = new Map<string, Mapped | null>();
  // A map may hold anything.
  for (const place of [...new Set(files.map(sources.placeOf))].slice(0, MAX_FILES))
    maps.set(place, await mapOf(place, sources).catch(() => null));
  return (frame) => {
    const mapped = maps.get(sources.placeOf(frame.file));
    return (mapped && originalOf(frame, mapped, sources)) ?? { ...frame, file: sources.shown(frame.file) };
  };
}

function originalOf(frame: Frame, { map, base }: Mapped, { beside, shown }: Sources): Frame | null {
  const found = map.findEntry(frame.line - 1, frame.column - 1);
  if (!('originalSource' in found) || !found.originalSource) return null;
  // The types lack it: nodejs.org/api/module.html#sourcemapfindentrylineoffset-columnoffset
  const { originalSource, originalLine, originalColumn, name } = found as SourceMapping & { name?: string };
  const file = shown(beside(base, originalSource) ?? originalSource);
  return { file, line: originalLine + 1, column: originalColumn + 1, name: name || frame.name };
}

async function mapOf(place: string, { read, beside }: Sources) {
  const text = (await read(place)) ?? '';
  const at = text.lastIndexOf(COMMENT);
  const [url] = (at >= 0 && /^[^\s'"*]+/.exec(text.slice(at + COMMENT.length))) || [];
  // Line numbers of a script inside a document differ from line numbers of the document.
  if (url === undefined || /^\s*</.test(text)) return null;
  const isInline = url.startsWith('data:');
  const base = isInline ? place : beside(place, decodeURIComponent(url));
  const json = isInline ? dataOf(url) : base && (await read(base));
  if (base === null || !json) return null;
  return { map: new SourceMap(JSON.parse(json.replace(/^\)\]\}'[^\n]*/, ''))), base };
}

function dataOf(url: string): string {
  const comma = url.indexOf(',');
  const [head, body] = [url.slice(0, comma), url.slice(comma + 1)];
  return head.endsWith(';base64') ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body);
}

const SCHEME = /^[a-z][a-z+.-]+:/i;

type Sources = ReturnType<typeof sourcesOf>;

/** Files of a program's folder, or answers of a page's server. @param root folder, absolute, or address of the page */
function sourcesOf(root: string) {
  const isProgram = isAbsolute(root);
  const origin = isProgram ? '' : new URL('/', root).href;
  const isLoaded = /^https?:/.test(origin);
  const folder = isProgram ? root : isLoaded ? null : dirname(fileURLToPath(root));
  // Its server may have ended.
  let isGone = false;
  return {
    placeOf: (file: string): string =>
      isProgram ? pathToFileURL(resolve(root, file)).href : orElse(() => new URL(file, origin).href, file),
    /** What a file names relative to `place`; null if the address leads nowhere: webpack://app/src/index.js */
    beside(place: string, named: string): string | null {
      const isNowhere = SCHEME.test(named) && !named.startsWith(isLoaded ? origin : 'file:');
      return isNowhere ? null : orElse(() => new URL(named, place).href, null);
    },
    /** null for what is not the program's, cannot be read or is too large. */
    async read(place: string): Promise<string | null> {
      if (folder !== null) return readInside(fileURLToPath(place), folder);
      if (!place.startsWith(origin) || isGone) return null;
      const response = await fetch(place, { signal: AbortSignal.timeout(FETCH_MS) }).catch(() => null);
      isGone = response === null;
      if (response === null || !response.ok || !response.url.startsWith(origin)) return null;
      const text = await response.text();
      return text.length <= MAX_BYTES ? text : null;
    },
    shown(place: string): string {
      if (isLoaded) return place.startsWith(origin) ? place.slice(origin.length) || '/' : place;
      const file = place.startsWith('file:') ? orElse(() => fileURLToPath(place), place) : place;
      if (!isProgram || !isAbsolute(file) || !isInside(file, root)) return file;
      return relative(root, file).split(sep).join('/');
    },
  };
}

function readInside(path: string, root: string): string | null {
  const real = realpathSync(path);
  if (!isInside(real, realpathSync(root))) return null;
  const found = statSync(real);
  return found.isFile() && found.size <= MAX_BYTES ? readFileSync(real, 'utf8') : null;
}

const TIMEOUT_MS = 60_000;
const MAX_REQUESTS = 20_000;

const OWN = { mode: 0o600 };

/** @param place `binary` of Bun; null: the Node of this program, which writes the bytes of all runtimes with V8 */
export async function countBytes(
  requests: readonly ByteRequest[],
  { binary, folder, env }: { binary: string | null; folder: string; env: Environment },
) {
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
  return requests.map((_, i): SizedSample => answers[i] ?? null);
}

/** It is copied if Bun would not find it (a question mark in its path), or only Yarn's loader would (an archive). */
async function readableTap(folder: string): Promise<string> {
  const own = packageFile('dist/tap/tap.cjs');
  if (!/\?|\.zip[\\/]/.test(own)) return own;
  for (const name of ['tap', 'node', 'deno', 'bun'])
    await writeFile(join(folder, `${name}.cjs`), await readFile(join(dirname(own), `${name}.cjs`)), OWN);
  return join(folder, 'tap.cjs');
}

const LAST_MS = 100;

const ROOM_BYTES = 128 * 1024;

async function hasLeft(folder: string): Promise<boolean> {
  if (!isInEnvironments(folder)) return false;
  await after(LAST_MS);
  return isInEnvironments(folder);
}

export type RecordingSettings = Pick<TapSettings, 'values' | 'doctor'>;

/** @param folder empty, mode 700 @returns variables that change: the recorder's option, then the value that was there */
export async function prepareRecording(folder: string, settings: RecordingSettings, env: Environment = {}) {
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

// A page: it is opened, and its recording ends when its tab is closed.

/** Silence after which no more answers are expected. On a busy machine a page takes longer to send everything. */
const SILENCE_MS = 3000;
const MAX_END_MS = 20_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

export interface PageOptions {
  address: string;
  browser: FoundRuntime;
  headless: boolean;
  folder: string;
  values: KeptValues;
  doctor: boolean;
  forMs: number | null;
  env: Environment;
  signals: Signals;
  onOpening: (isHeadless: boolean) => void;
}

type PageEnd = PageGone | 'time' | (typeof SIGNALS)[number];

const randomHex = (): string => randomBytes(16).toString('hex');

/** @throws ToolError 'page-unreachable', 'temp-unwritable', or that of a browser that ended */
export async function recordPage(options: PageOptions) {
  const { browser, folder, env } = options;
  // macOS and Windows always have a display.
  const hasDisplay = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  const isHeadless = options.headless || !hasDisplay;
  const threads = new PageThreads(browser);
  if (freeIn(folder) < FREE_BYTES) throw noSpaceLeft();
  // A browser does not report a full disk: it ends, fails in part, or goes on. The folder may have been removed.
  const isFull = () => orElse(() => freeIn(folder), Number.POSITIVE_INFINITY) < FULL_BYTES;
  const script = await readFile(packageFile('dist/tap/page.js'), 'utf8');
  const ending = endOf(options);
  let driven: DrivenBrowser | null = null;
  try {
    driven = drivenBrowser(browser.binary, env, isHeadless);
    const { values, doctor } = options;
    const settings = { values, doctor, startedAt: Date.now(), salt: randomHex(), binding: `_${randomHex()}` };
    const targets = new Targets({ devtools: driven.devtools, threads, script, settings });
    const onOpening = () => options.onOpening(isHeadless);
    const end = await Promise.race([pageGone(options.address, driven, targets, onOpening), ending.promise]);
    await Promise.race([targets.end(), silence(threads)]);
    const all = threads.finish();
    if (end === 'crashed') threads.gaps.miss('The page crashed: its last counts are missing.');
    return { end, threads: all, gaps: threads.gaps.list, isFull: isFull() };
  } catch (error) {
    throw isFull() ? noSpaceLeft(error) : error;
  } finally {
    ending.release();
    await driven?.close();
  }
}

/** Until the page is gone. @throws ToolError 'page-unreachable', or that of a browser that ended before it had one */
function pageGone(
  address: string,
  { devtools, ended }: DrivenBrowser,
  targets: Targets,
  onOpening: () => void,
): Promise<PageGone> {
  const { promise, resolve: end, reject: fail } = deferred<PageGone>();
  let page: string | null = null;
  targets.onPage = async (session) => {
    if (page !== null) return;
    page = session;
    onOpening();
    const error = (await devtools.send('Page.navigate', { url: address }, page))?.errorText;
    if (typeof error === 'string' && error !== '')
      fail(new ToolError('page-unreachable', { value: address, detail: error.replace(/^net::/, '') }));
  };
  targets.onGone = (session, how) => {
    if (session === page) end(how);
  };
  // A browser whose last window was closed ends as well.
  void ended.then((error) => (page === null ? fail(error) : end('closed')));
  targets.watch();
  return promise;
}

type DrivenBrowser = ReturnType<typeof drivenBrowser>;

export function drivenBrowser(binary: string, env: Environment, isHeadless: boolean) {
  const group = withProfile((profile) => ({
    file: binary,
    args: drivenArgs(profile, { isHeadless }),
    env,
    // Chromium reads commands from its file descriptor 3 and writes to 4.
    pipes: 2,
  }));
  return {
    devtools: new DevTools(group.pipe(4), group.pipe(3)),
    ended: group.ended,
    async close(): Promise<void> {
      group.kill();
      await group.ended;
    },
  };
}

async function silence(threads: PageThreads): Promise<void> {
  const from = performance.now();
  let heard: number;
  do {
    ({ heard } = threads);
    await after(SILENCE_MS, undefined, { ref: false });
  } while (heard !== threads.heard && performance.now() - from < MAX_END_MS);
}

const FREE_BYTES = 16 * 2 ** 20;
const FULL_BYTES = 2 ** 20;

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function endOf({ forMs, signals }: PageOptions) {
  const { promise, resolve: end } = deferred<PageEnd>();
  const timer = forMs === null ? undefined : setTimeout(() => end('time'), timerMs(forMs));
  const off = onSignals(signals, Object.fromEntries(SIGNALS.map((name) => [name, () => end(name)])));
  return {
    promise,
    release(): void {
      clearTimeout(timer);
      off();
    },
  };
}

export type Recorder = typeof recorder;

export const recorder = {
  /** @param options `folder` for the files of threads, empty; null: the command runs without the recorder */
  async run(
    command: readonly string[],
    options: Omit<program.ProgramOptions, 'endRest'> & { folder: string | null; settings: RecordingSettings },
  ): Promise<{ exit: program.ProgramExit; hasLeft: boolean; isFull: boolean }> {
    const { folder, settings, env, ...others } = options;
    if (folder === null)
      return { exit: await program.runProgram(command, { env, ...others }), hasLeft: false, isFull: false };
    const ours = await prepareRecording(folder, settings, env);
    const endRest = () => endWithVariable(folder);
    const exit = await program.runProgram(command, { ...others, env: { ...env, ...ours }, endRest });
    const isFull = !existsSync(join(folder, ROOM_FILE));
    return { exit, hasLeft: await hasLeft(folder), isFull };
  },
  mapFrames: frameMapper,
  countBytes,
  recordPage,
};
