/** The file that `clone-prof record` writes: its name, and another place for it if the disk is full. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { RecordSettings } from '../../cli/options/all.ts';
import { CommandFiles, openOutputFile, sayResult } from '../../cli/session/output.ts';
import { sayError, type World } from '../../cli/session/world.ts';
import type { Recording } from '../../model/documents/recorded/recording.ts';
import { EXIT, exitCodeOfError, ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import type { KeptValues } from '../../model/recording/recording.ts';
import { recordedNodes } from '../../report/print/sites.ts';
import { terminalNodes } from '../../report/terminal/nodes.ts';
import { optionsEnd } from '../command-options.ts';
import { mayBeReplaced, recordingText } from '../files/recording-file.ts';

const PRIVATE = 0o600;

/** Opens the file before anything is recorded. @throws ToolError 'usage', 'output-unwritable' */
export function openRecording(
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
