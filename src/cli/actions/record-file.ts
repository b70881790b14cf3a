/** The file that `record` writes: opened before the program runs, written when it has ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Recording } from '../../model/documents/recorded/recording.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { recordingSummary } from '../../reporters/terminal/recording.ts';
import { mayBeReplaced, recordingText } from '../../store/recording-file.ts';
import { EXIT, exitCodeOfError, sayError } from '../session/exit.ts';
import { type OutputFile, openOutputFile } from '../session/output-file.ts';
import type { World } from '../session/world.ts';

/** Only its user may read values. */
const PRIVATE = 0o600;

export function openRecording(file: string, cwd: string): OutputFile {
  const opened = openOutputFile(file, cwd);
  if (mayBeReplaced(resolve(cwd, file))) return opened;
  const detail = 'it is there, and it is not a recording. Name another file: -o';
  throw new ToolError('output-unwritable', { file, detail });
}

/** @returns the exit code: that of the error where it cannot be written, neither there nor in the temp folder */
export async function writeRecording(
  recording: Recording,
  output: OutputFile,
  { file, values }: { file: string; values: 'none' | 'kept' | 'masked' },
  world: World,
): Promise<number> {
  const text = recordingText(recording);
  let place = file;
  try {
    await output.write(text, values === 'none' ? undefined : PRIVATE);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    await sayError(error, world);
    const saved = await savedElsewhere(text, basename(file));
    if (saved === null) return exitCodeOfError(error);
    place = saved;
    await world.stderr.line(`The recording is in ${saved}`);
  }
  for (const line of recordingSummary(recording, place, world.stderr.columns || 80))
    await world.stderr.line(line);
  return EXIT.ok;
}

/** What took long to record is not lost with a full disk: the temp folder may be on another. @returns null where it is not */
async function savedElsewhere(text: string, name: string): Promise<string | null> {
  const folder = orElse(() => mkdtempSync(join(tmpdir(), 'recording-')), null);
  if (folder === null) return null;
  const file = join(folder, name);
  try {
    await openOutputFile(file, folder).write(text, PRIVATE);
    return file;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

/** File of a recording that the user did not name. @param address of a page; null: the command is recorded */
export const recordingName = (command: readonly string[], address: string | null): string =>
  address === null ? programRecordingName(command) : pageRecordingName(address);

/** "http://localhost:5173/app" -> "localhost_5173.cprof" */
function pageRecordingName(address: string): string {
  const { host } = new URL(address);
  return `${host.replace(/[^\w.-]+/g, '_').slice(0, 100) || 'page'}.cprof`;
}

const SCRIPT = /\.[cm]?[jt]sx?$/i;
/** Programs that only start another program. */
const RUNNERS = new Set([
  ...['node', 'bun', 'bunx', 'deno', 'npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'tsx', 'ts-node', 'env'],
  ...['sh', 'bash', 'run', 'exec', 'dlx', 'x'],
]);

/** Options of Node, Bun and Deno whose value is the next word. */
const WITH_VALUE =
  /^(?:-r|-C|--(?:require|import|preload|loader|experimental-loader|conditions|env-file|config))$/;

/** "node --flag src/app.mjs" -> "app.cprof", "npx vitest run" -> "vitest.cprof" */
function programRecordingName(command: readonly string[]): string {
  const words = command
    .filter((word, i) => !word.startsWith('-') && !WITH_VALUE.test(command[i - 1] ?? ''))
    .map((word) => word.replace(/^.*[\\/]/s, ''));
  const named = words.find((word) => SCRIPT.test(word)) ?? words.find((word) => !RUNNERS.has(word));
  const name = (named ?? words[0] ?? '').replace(SCRIPT, '').replace(/[^\w.-]+/g, '_');
  return `${name.replace(/^\.+/, '').slice(0, 100) || 'program'}.cprof`;
}
