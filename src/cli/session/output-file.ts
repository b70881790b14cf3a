import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../machine/folders.ts';
import { ToolError } from '../../model/errors.ts';

/** A file that can be written, as far as can be known in advance. */
export interface OutputFile {
  /**
   * @param mode mode of the file; default: the mode of the old file
   * @throws ToolError 'output-unwritable'
   */
  write(text: string, mode?: number): Promise<void>;
}

/**
 * Opens a file and makes its folders. Called before anything is measured, so that an error does not waste the
 * measurement.
 *
 * @throws ToolError 'output-unwritable'
 */
export function openOutputFile(file: string, cwd: string): OutputFile {
  const path = resolve(cwd, file);
  const fail = (error: unknown) => {
    throw new ToolError('output-unwritable', { file, detail: (error as Error).message });
  };
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() || /[\\/]$/.test(file)) throw new Error('it is a directory');
    const write = there && !there.isFile() ? writerOfStream(path) : writerOfFile(path, there);
    return { write: (text, mode) => write(text, mode).catch(fail) };
  } catch (error) {
    return fail(error);
  }
}

/** Makes a folder if it is missing, and returns its absolute path. @throws ToolError 'output-unwritable' */
export function openFolder(folder: string, cwd: string): string {
  const path = resolve(cwd, folder);
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK);
    return path;
  } catch (error) {
    throw new ToolError('output-unwritable', { file: folder, detail: (error as Error).message });
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

type Write = OutputFile['write'];

/** Writes pipes and devices. A pipe without a reader is refused: opening it would wait forever. */
function writerOfStream(path: string): Write {
  const file = openWithoutWaiting(path);
  return async (text) => {
    try {
      for (let rest = Buffer.from(text); rest.length > 0; ) {
        const written = writeNow(file, rest);
        rest = rest.subarray(written);
        // The reader is slower than the writer.
        if (written === 0) await sleep(5);
      }
    } finally {
      closeSync(file);
    }
  };
}

function openWithoutWaiting(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENXIO') throw new Error('no program reads this pipe');
    throw error;
  }
}

/** @returns written bytes; 0 if the pipe is full */
function writeNow(file: number, bytes: Uint8Array): number {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return 0;
    throw error;
  }
}

function writerOfFile(path: string, there: Stats | undefined): Write {
  makeFolder(dirname(path));
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (there) accessSync(path, constants.W_OK);
  else {
    closeSync(openSync(path, isLink ? 'a' : 'wx'));
    if (!isLink) rmSync(path);
  }
  // A rename would lose the link, other names of the file, or its owner.
  const own = there === undefined || (there.nlink === 1 && there.uid === (process.getuid?.() ?? there.uid));
  return async (text, mode) => {
    if (isLink || !own) writeInPlace(path, text, mode);
    else replace(path, text, mode ?? there?.mode);
  };
}

/** Errors of `rename` for a file that itself can be written: its folder is read-only, or the file is mounted. */
const STRAIGHT = new Set<string | undefined>(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV']);

/** Replaces a file atomically: a run that is killed leaves the old file. */
function replace(path: string, text: string, mode: number | undefined): void {
  const temporary = join(dirname(path), `.clone-prof-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(temporary, '', { flag: 'wx' });
    writeInPlace(temporary, text, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (!STRAIGHT.has(codeOf(error))) throw error;
    writeInPlace(path, text, mode);
  }
}

/** The mode is set before the text is written: others could read it in between. */
function writeInPlace(path: string, text: string, mode: number | undefined): void {
  if (mode !== undefined && existsSync(path)) chmodSync(path, mode);
  writeFileSync(path, text, { mode });
}
