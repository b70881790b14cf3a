/** A small program, run bare or recorded. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordedMessages, Recording } from '../../../src/model/documents/recorded/recording.ts';
import { readThreads } from '../../../src/record/files/recording-files.ts';
import { prepareRecording, type RecordingSettings } from '../../../src/record/program/recorder.ts';
import type { RecordedThread } from '../../../src/record/threads/recorded-thread.ts';
import { sampleBytes } from '../../../src/record/threads/sample-bytes.ts';
import { countedIn } from '../../support/count-bytes.ts';
import { putFiles } from '../../support/git-repository.ts';
import { merged } from '../../support/merged.ts';
import { type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { type Ended, endOf } from '../../support/spawn-cli.ts';

export type Ran = Ended & { signal: NodeJS.Signals | null };

export interface Recorded extends Ran, Recording {
  threads: RecordedThread[];
  written: string;
}

export interface Program {
  /** Text by file name; `main.mjs` or `main.cjs` is run. */
  files: Readonly<Record<string, string>>;
  binary?: string;
  /** Before the name of the main file. */
  flags?: readonly string[];
  env?: Readonly<Record<string, string | undefined>>;
  settings?: Partial<RecordingSettings>;
  /** Called with the pid when the program has printed this. */
  onOutput?: { text: string; run: (pid: number) => void };
}

export const programOn = (spec: RuntimeSpec, files: Program['files']): Program => ({
  files,
  binary: runtime(spec).binary,
  flags: spec.startsWith('deno') ? ['run', '-A', '--quiet', '--no-config'] : [],
});

/** Without a blank: programs write its name into commands. `scripts/test.mjs` removes it. */
const newFolder = () => mkdtempSync(join(tmpdir(), 'recorded-'));

async function ran(folder: string, program: Program, tap: Readonly<Record<string, string>>): Promise<Ran> {
  const { files, binary = process.execPath, flags = [], env, onOutput } = program;
  putFiles(folder, files);
  const main = Object.keys(files).find((name) => name.startsWith('main.'))!;
  const child = spawn(binary, [...flags, join(folder, main)], {
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env, ...tap },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A program that hangs is a failure of its own test.
    ...{ timeout: 120_000, killSignal: 'SIGKILL' as const },
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    if (onOutput && printed.includes(onOutput.text)) onOutput.run(child.pid!);
  });
  return { ...(await endOf(child)), signal: child.signalCode };
}

const asIs = (folder: string, result: Ran): Ran => ({
  ...result,
  stdout: result.stdout.replaceAll(folder, '<folder>'),
  stderr: result.stderr.replaceAll(folder, '<folder>'),
});

export async function bare(program: Program): Promise<Ran> {
  const folder = newFolder();
  return asIs(folder, await ran(folder, program, {}));
}

export async function recorded(program: Program): Promise<Recorded> {
  const [folder, tap] = [newFolder(), newFolder()];
  const settings = { values: 'none' as const, doctor: false, ...program.settings };
  const result = await ran(folder, program, await prepareRecording(tap, settings, program.env));
  const { threads } = readThreads(tap);
  const own = readdirSync(tap).filter((name) => /\.(ndjson|cnt)$/.test(name));
  const written = own.map((name) => readFileSync(join(tap, name), 'latin1')).join('');
  const bytesOf = await sampleBytes(threads, countedIn(tap, program.binary ?? null));
  return { ...asIs(folder, result), ...merged(threads, folder, bytesOf), threads, written };
}

/** One line for each kind of message: "3 parentPort.postMessage worker w.mjs -> main, received 3, at w.mjs:2". */
export const lines = ({ messages }: Recording): string[] =>
  messages
    .map((one) => {
      const { count, api, from, to, received, site } = one;
      const arrived = received === null ? '' : `, received ${received}`;
      const at = site.user === null ? 'nowhere' : `${site.user.file}:${site.user.line}`;
      return `${count} ${api} ${from} -> ${to}${arrived}, at ${at}`;
    })
    .sort();

export const totalOf = (messages: readonly RecordedMessages[], api?: string): number =>
  messages.reduce((sum, one) => sum + (api === undefined || one.api === api ? one.count : 0), 0);

/** Lines of JavaScriptCore for the call of a Proxy, and of the function behind it. */
const NATIVE =
  '(?:@\\[native code\\]|(?:construct|apply)@\\[native code\\]| {4}at unknown| {4}at (?:construct|apply) \\(unknown\\))';
const OWN_FRAME = `(?:\\n${NATIVE})?\\n[^\\n]*(?:dist/tap/|clone-prof:recorder)[^\\n]*(?:\\n${NATIVE}(?=\\n))?`;

/** Without the frame of the recorder in each error of a call that it watches. */
export function withoutFrames(text: string): string {
  const rest = text.replace(new RegExp(OWN_FRAME, 'g'), '');
  assert.doesNotMatch(text, new RegExp(`(?:${OWN_FRAME}){2}`), 'more than one frame of the recorder');
  return rest;
}
