/** `clone-prof record`: runs a program or opens a page, and writes what it posted to a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { ProgramExit, Services } from '../../app/world/services.ts';
import type { RecordSettings } from '../../cli/options/all.ts';
import { otherBrowser } from '../../cli/options/shared.ts';
import { CommandFiles, openOutputFile, sayResult } from '../../cli/session/output.ts';
import { sayError, sayReasons, type World } from '../../cli/session/world.ts';
import { noSpaceLeft } from '../../machine/machine.ts';
import { withWorkFolder } from '../../machine/temp-folders.ts';
import { onSignals } from '../../machine/waiting.ts';
import type { Recording } from '../../model/documents/recorded/recording.ts';
import { EXIT, exitCodeOfError, ToolError, usage } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { FOLDER_VARIABLE, type KeptValues } from '../../model/recording/recording.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { recordedNodes } from '../../report/print/recording.ts';
import { terminalNodes } from '../../report/terminal/nodes.ts';
import { counted } from '../../report/text/numbers.ts';
import { optionsEnd, permissionGap } from '../command-options.ts';
import {
  isWhole,
  mayBeReplaced,
  postedSoFar,
  readThread,
  readThreads,
  recordingText,
} from '../files/recording-files.ts';
import { filesOfFrames, type RecordedRun, recordingOf } from '../threads/recording.ts';
import { type CountBytes, sampleBytes } from '../threads/sample-bytes.ts';

interface RecordCommand {
  settings: RecordSettings;
  file: string;
  values: KeptValues;
  world: World;
  services: Services;
}

export async function runRecord(settings: RecordSettings, world: World, services: Services): Promise<number> {
  const values = !settings.values ? 'none' : settings.mask ? 'masked' : 'kept';
  // Two recorders would count each other's calls.
  if (world.env[FOLDER_VARIABLE] !== undefined)
    throw usage('this process is recorded already: run record from the outside only');
  const output = openRecording(settings, values, world);
  const { file } = output;
  const job: RecordCommand = { settings, file, values, world, services };
  const rest = values === 'masked' ? ', with other texts' : '. --mask replaces their texts';
  if (values !== 'none')
    await world.stderr.line(`warning: ${file} will hold messages as they are posted${rest}`);
  // These end the recorded program, but not this process, which then writes the recording.
  const goOn = () => undefined;
  const release = onSignals(world, { SIGINT: goOn, SIGTERM: goOn, SIGHUP: goOn, SIGQUIT: goOn });
  try {
    const { exit, isFull, recording } = await withWorkFolder((folder) => recorded(job, folder));
    const [value = ''] = settings.command;
    if (exit.notStarted !== null)
      throw new ToolError('command-not-started', { value, detail: exit.notStarted });
    let unwritten = await output.write(recording);
    if (isFull && unwritten === EXIT.ok) {
      // The recording may lack most messages.
      await sayError(noSpaceLeft(), world);
      unwritten = EXIT.failure;
    }
    const code = exitCodeOf(exit);
    if (code === EXIT.ok) return unwritten;
    await sayReasons([endingOf(recording.header.command[0] ?? '', exit)], world);
    return code;
  } finally {
    release();
  }
}

async function recorded(job: RecordCommand, folder: string) {
  const { settings, values, services, world } = job;
  const { address, command } = settings;
  const ran = address === null ? await runIn(job, folder) : await openIn(address, job, folder);
  const { exit, threads, ...others } = ran;
  const root = address === null ? world.cwd() : new URL('/', address).href;
  const countBytes = bytesCounter(job, folder);
  const bytesOf = await sampleBytes(threads, countBytes);
  const { mapFrames } = await services.recorder();
  const mapFrame = await mapFrames(address ?? root, filesOfFrames(threads));
  const run: RecordedRun = {
    ...{ ...others, values, version: services.tools.version },
    command: address === null ? [...command] : [shownAddress(address)],
    // A page does not exit with a code.
    exit: address === null ? { code: exit.code, signal: exit.signal } : null,
  };
  const recording = recordingOf(threads, run, { root, bytesOf, mapFrame, isWhole });
  return { exit, isFull: ran.isFull, recording };
}

const BUN = /(?:^|[\\/])bun(?:\.exe)?$/;

function bytesCounter(job: RecordCommand, folder: string): CountBytes {
  const { settings, services, world } = job;
  return async (runtime, requests) => {
    const [first = ''] = settings.command;
    const here = runtime === 'bun' ? await findHere(BUN.test(first) ? first : 'bun', job) : null;
    const binary = here?.found[0]?.binary ?? null;
    if (here !== null && binary === null) return requests.map(() => null);
    const { countBytes } = await services.recorder();
    return countBytes(requests, { binary, folder, env: world.env });
  };
}

const findHere = (spec: string, { services }: RecordCommand) =>
  services.findRuntimes([spec], {
    ...{ offline: true, projectNpmrc: false },
    onNote: () => undefined,
  });

async function runIn(job: RecordCommand, folder: string) {
  const { settings, values, world, services } = job;
  const { command, forMs, doctor } = settings;
  const { now } = services.tools;
  const { run } = await services.recorder();
  const { env } = world;
  const unreachable = permissionGap(command, env.NODE_OPTIONS);
  const place = { folder: unreachable === null ? folder : null, settings: { values, doctor } };
  const options = { ...place, cwd: world.cwd(), env, signals: world, forMs };
  const start = now();
  const ran = await withLines(job, folder, () => run(command, options));
  const elapsedMs = now() - start;
  return { ...ran, ...readThreads(folder), unreachable, elapsedMs };
}

const STILL_RUNS_MS = 3000;

/** Prints, on a terminal, how to end a recording that does not end by itself, and from time to time its size. */
async function withLines<T>({ file, world }: RecordCommand, folder: string, run: () => Promise<T>) {
  const { stderr } = world;
  let timer: NodeJS.Timeout | undefined;
  // The lines appear within the output of the program, so each waits twice the time of the previous line.
  const after = (ms: number) => {
    timer = setTimeout(() => {
      const posted = counted(postedSoFar(folder), 'message');
      void stderr.line(`recording to ${file}, ${posted} so far: Ctrl-C ends the program and the recording`);
      after(ms * 2);
    }, ms);
  };
  if (stderr.isTTY) after(STILL_RUNS_MS);
  try {
    return await run();
  } finally {
    clearTimeout(timer);
  }
}

async function openIn(address: string, job: RecordCommand, folder: string) {
  const { settings, values, world, services } = job;
  const { headless, forMs, doctor } = settings;
  const { now } = services.tools;
  const browser = await browserFor(settings.browser ?? 'chromium', job);
  const recorder = await services.recorder();
  const onOpening = (isHeadless: boolean) => {
    const where = `${browser.spec}${isHeadless ? ' without a window' : ''}`;
    void world.stderr.line(
      `clone-prof: opening ${shownAddress(address)} in ${where}; Ctrl-C ends the recording`,
    );
  };
  const start = now();
  const { end, threads, ...others } = await recorder.recordPage({
    ...{ address, browser, headless, folder, values, forMs, doctor, onOpening },
    ...{ env: world.env, signals: world },
  });
  const elapsedMs = now() - start;
  // Ctrl-C is the way to end a recording without a window, so SIGINT is not an error. A tab lacks an exit code.
  const signal = end === 'SIGTERM' || end === 'SIGHUP' || end === 'SIGQUIT' ? end : null;
  const exit = { code: 0, notStarted: null, stoppedBy: null, signal };
  const unreachable = 'No document of the page was reached: it did not begin to load.';
  return { ...others, threads: threads.map(readThread), exit, hasLeft: false, unreachable, elapsedMs };
}

async function browserFor(spec: string, job: RecordCommand): Promise<FoundRuntime> {
  const { found, missing } = await findHere(spec, job);
  const [browser] = found;
  if (browser === undefined) throw missing[0]!.error;
  if (browser.name !== 'chromium') throw otherBrowser(spec);
  return browser;
}

/** Exit code by the convention of shells; 0 if --for ended the program, since the user requested that. */
function exitCodeOf({ code, signal, stoppedBy }: ProgramExit): number {
  const ended = signal === null ? (code ?? EXIT.failure) : numberOf(signal);
  return stoppedBy !== null && ended === numberOf(stoppedBy) ? EXIT.ok : ended;
}

const endingOf = (name: string, { code, signal }: ProgramExit): string =>
  `${name} ${signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`}`;

const numberOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

function shownAddress(address: string): string {
  const shown = new URL(address);
  for (const part of ['username', 'password', 'search', 'hash'] as const) shown[part] = '';
  return shown.href;
}

const PRIVATE = 0o600;

/** Opens the file before anything is recorded. @throws ToolError 'usage', 'output-unwritable' */
function openRecording(
  { output, command, address }: Pick<RecordSettings, 'output' | 'command' | 'address'>,
  values: KeptValues,
  world: World,
) {
  const cwd = world.cwd();
  const file = output ?? recordingName(command, address);
  new CommandFiles(cwd, command).writes(file, '--output');
  const opened = openOutputFile(file, cwd);
  if (!mayBeReplaced(resolve(cwd, file))) {
    const detail = 'it is there, and it is not a recording. Name another file: -o';
    throw new ToolError('output-unwritable', { file, detail });
  }
  return {
    file,
    /** @returns the exit code: 0, or the error's if neither the file nor a file in the temp folder can be written */
    async write(recording: Recording): Promise<number> {
      const text = recordingText(recording);
      let place = file;
      try {
        await opened.write(text, values === 'none' ? undefined : PRIVATE);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        await sayError(error, world);
        const saved = await savedElsewhere(text, basename(file));
        if (saved === null) return exitCodeOfError(error);
        place = saved;
        await world.stderr.line(`The recording is in ${saved}`);
      }
      await sayResult((options) => terminalNodes(recordedNodes(recording, place), options), world);
      return EXIT.ok;
    },
  };
}

/** If the disk is full: the temp folder may be on a different disk. @returns the file; null if that fails too */
async function savedElsewhere(text: string, name: string): Promise<string | null> {
  const folder = orElse(() => mkdtempSync(join(tmpdir(), 'recording-')), null);
  if (folder === null) return null;
  try {
    const file = join(folder, name);
    await openOutputFile(file, folder).write(text, PRIVATE);
    return file;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

/** "http://localhost:5173/app" -> "localhost_5173.cprof". @param address of the page; null: the command is recorded */
export function recordingName(command: readonly string[], address: string | null): string {
  const name = address === null ? programName(command) : new URL(address).host;
  const file = name.replace(/[^\w.-]+/g, '_').replace(/^[.-]+/, '');
  return `${file.slice(0, 100) || (address === null ? 'program' : 'page')}.cprof`;
}

const RUNNERS = new Set([
  ...['node', 'bun', 'bunx', 'deno', 'npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'tsx', 'ts-node', 'env'],
  ...['sh', 'bash', 'run', 'exec', 'dlx', 'x'],
]);

function programName(command: readonly string[]): string {
  const isProgram = (word: string) => !word.startsWith('-') && !RUNNERS.has(basename(word));
  const named = command[optionsEnd(command)] ?? command.find(isProgram) ?? command[0] ?? '';
  return basename(named).replace(/\.[cm]?[jt]sx?$/i, '');
}
