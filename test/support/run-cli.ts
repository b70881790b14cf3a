import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadSources } from '../../src/app/sources/load.ts';
import type { ProgramExit, Services } from '../../src/app/world/services.ts';
import { main } from '../../src/cli/main.ts';
import type { ProcessLike } from '../../src/cli/session/world.ts';
import { toolVersion } from '../../src/machine/folders.ts';
import { ToolError } from '../../src/model/errors.ts';
import type { RuntimeName } from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { readThreadFiles } from '../../src/record/files/recording-files.ts';
import type { Recorder } from '../../src/record/program/recorder.ts';
import { MACHINE } from '../make.ts';
import { unitsOfTexts } from './count-bytes.ts';
import { type FakeScript, fakeDriver, fakeRuntime } from './fake-runtime.ts';
import { type FakeProcess, fakeProcess } from './real-cli.ts';

/** What a run of the program finds: files of a real folder, fake runtimes, a fake clock. */
export interface CliScenario {
  files?: Record<string, string>;
  /** Where it runs, below the folder of `files`. */
  folder?: string;
  stdin?: string;
  script?: FakeScript;
  /** The installed runtimes; `-r name` finds them. */
  runtimes?: string[];
  /** Runtimes that are installed too, but older than the tool needs. */
  tooOld?: string[];
  columns?: number;
  tty?: boolean;
  env?: Record<string, string>;
  /** Aborts the run (Ctrl-C) when this step is reached. */
  interruptAt?: 'describe' | 'measure';
  /** Called when the files are there. */
  setUp?: (cwd: string) => void;
  /** What `record` finds: the files that the threads of its program wrote, and how it ended. */
  program?: { threads?: Record<string, string | Uint8Array>; exit?: Partial<ProgramExit> };
  /** Files to show as they are in the end. */
  shows?: string[];
}

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
  /** Of `shows`: what is in each; null for what is not there. */
  files: Record<string, string | null>;
}

function runtimeOf(spec: string): FoundRuntime {
  const [name = 'node', version = '0.0.0'] = spec.split('@');
  return { ...fakeRuntime(name as RuntimeName, version), spec };
}

function servicesFor(scenario: CliScenario, cwd: string, world: FakeProcess): Services {
  const { runtimes = ['node@24.0.0'], tooOld = [] } = scenario;
  const here = runtimes.map(runtimeOf);
  const driver = fakeDriver({
    ...scenario.script,
    fails: (ask, runtime) => {
      if (ask.type === scenario.interruptAt) world.emit('SIGINT');
      return scenario.script?.fails?.(ask, runtime) ?? null;
    },
  });
  let clock = 0;
  return {
    // Each reading of the clock costs 100 ms, so that budgets end.
    tools: { driver, now: () => (clock += 100), machine: MACHINE, version: toolVersion() },
    findRuntimes: async (specs) => {
      const found = (spec: string) => here.find((one) => one.spec === spec || one.name === spec);
      const missing = specs.flatMap((spec) => {
        const error = new ToolError('runtime-missing', { value: spec, detail: 'fake' });
        return found(spec) ? [] : [{ spec, error }];
      });
      return { found: specs.length === 0 ? here : specs.flatMap((spec) => found(spec) ?? []), missing };
    },
    listRuntimes: async () => [...tooOld.map((spec) => ({ ...runtimeOf(spec), needs: '99.0.0' })), ...here],
    addRuntime: async (spec) => runtimeOf(spec),
    removeRuntimes: async (spec) => here.filter((r) => r.spec === spec),
    recorder: async () => fakeRecorder(scenario.program),
    loadSources: (inputs, options) =>
      loadSources(inputs, { cwd, ...options, stdin: () => world.stdin as never }),
  };
}

function fakeRecorder({ threads = {}, exit }: CliScenario['program'] = {}): Recorder {
  return {
    mapFrames: async () => (frame) => frame,
    countBytes: (requests) => unitsOfTexts('node', requests),
    async recordPage({ folder, onOpening }) {
      onOpening(true);
      for (const [name, content] of Object.entries(threads)) await writeFile(join(folder, name), content);
      return { end: 'closed', ...readThreadFiles(folder), isFull: false };
    },
    async run(_command, { folder }) {
      for (const [name, content] of Object.entries(folder === null ? {} : threads))
        await writeFile(join(folder!, name), content);
      const ended = { code: 0, signal: null, notStarted: null, stoppedBy: null, ...exit };
      return { exit: ended, hasLeft: false, isFull: false };
    },
  };
}

async function put(files: Record<string, string | null>, cwd: string): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await (text === null ? rm(path) : writeFile(path, text));
  }
}

async function runMain(args: string[], scenario: CliScenario, cwd: string): Promise<Omit<CliRun, 'files'>> {
  const { env: given = {}, tty, columns, stdin } = scenario;
  const env = Object.entries(given).map(([name, value]) => [name, value.replaceAll('<cwd>', cwd)]);
  const seen = { cwd, env: Object.fromEntries(env), stdin, now: () => 0 };
  const world = fakeProcess(args, {
    ...seen,
    ...(tty && { tty }),
    ...(columns !== undefined && { columns }),
  });
  const code = await main(world as unknown as ProcessLike, servicesFor(scenario, cwd, world));
  const clean = (text: string) => text.replaceAll(cwd, '<cwd>');
  return { code, stdout: clean(world.stdout.text), stderr: clean(world.stderr.text) };
}

/** A folder with the files of a scenario, in which several commands run one after the other. Names are below it. */
export interface CliFolder {
  path: string;
  run(args: string[]): Promise<Omit<CliRun, 'files'>>;
  put(files: Record<string, string | null>): Promise<void>;
  /** Null if there is no such file. */
  read(name: string): Promise<string | null>;
}

/** @param runs a command in `cwd`; by default with fake runtimes */
export async function inCliFolder<T>(
  scenario: CliScenario,
  work: (folder: CliFolder) => Promise<T>,
  runs = runMain,
): Promise<T> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clone-prof-cli-')));
  const cwd = join(root, scenario.folder ?? '.');
  try {
    await mkdir(cwd, { recursive: true });
    await put(scenario.files ?? {}, root);
    scenario.setUp?.(root);
    return await work({
      path: root,
      run: (args) => runs(args, scenario, cwd),
      put: (files) => put(files, root),
      read: (name) => readFile(join(root, name), 'utf8').catch(() => null),
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** `runCli(['analyze', 'a.json'], { files: { 'a.json': '[1]' } })` */
export function runCli(args: string[], scenario: CliScenario = {}): Promise<CliRun> {
  return inCliFolder(scenario, async ({ run, read }) => {
    const ended = await run(args);
    const files: CliRun['files'] = {};
    for (const name of scenario.shows ?? []) files[name] = await read(join(scenario.folder ?? '.', name));
    return { ...ended, files };
  });
}
