/** The file that `record` writes: opened before the program runs, written when it has ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Recording } from '../../model/documents/recorded/recording.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { recordingSummary } from '../../reporters/terminal/recording.ts';
import { mayBeReplaced, recordingText } from '../../store/recording-file.ts';
import type { RecordOptions } from '../options/record.ts';
import { EXIT, exitCodeOfError } from '../session/exit-code.ts';
import { type OutputFile, openOutputFile } from '../session/output-file.ts';
import { sayError } from '../session/reasons.ts';
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
  { file, values }: RecordOptions,
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
