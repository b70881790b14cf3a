/** Files of recorded threads. Nothing is kept open: a program may close what it did not open, and use its number. */
import * as fs from 'node:fs';
import { orElse } from '../../../model/or-else.ts';
import { ROOM_FILE } from '../../../model/recording/settings.ts';
import { HEADER, progressOf } from '../../threads/counters.ts';
import * as kept from '../realm/intrinsics.ts';

const { openSync, writeSync, closeSync, readFileSync, fstatSync, ftruncateSync, unlinkSync } = fs;
const { byteLength } = Buffer;
const { pid } = process;
/** Neither of the group nor of others. */
const OWN = 0o600;

export const readText = (file: string): string => readFileSync(file, 'utf8');

/** Tries once more if the disk is full, in the room that is kept for it. */
export function withRoom(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    unlinkSync(`${folder}/${ROOM_FILE}`);
    write();
  }
}

/** An almost full disk takes a part, and says nothing. */
function refusePart(written: number, of: number): void {
  if (written < of) throw { code: 'ENOSPC' };
}

function into(folder: string, file: string, flags: string | number, write: (fd: number) => void): void {
  withRoom(folder, () => {
    const fd = openSync(`${folder}/${file}`, flags, OWN);
    try {
      write(fd);
    } finally {
      closeSync(fd);
    }
  });
}

/** All of the text, or nothing. */
export const appendTo = (folder: string, thread: number, text: string): void =>
  into(folder, `${pid}-${thread}.ndjson`, 'a', (fd) => {
    const { size } = fstatSync(fd);
    const written = writeSync(fd, text);
    const length = byteLength(text);
    if (written < length) ftruncateSync(fd, size);
    refusePart(written, length);
  });

/** Written over from its start, in one call: a reader never gets half of it. */
export function writeCounters(folder: string, counters: Float64Array): void {
  const progress = progressOf(counters);
  const file = `${counters[HEADER.pid]}-${counters[HEADER.thread]}.cnt`;
  into(folder, file, fs.constants.O_WRONLY | fs.constants.O_CREAT, (fd) => {
    refusePart(writeSync(fd, counters, 0, counters.byteLength, 0), counters.byteLength);
    counters[HEADER.written] = progress;
  });
}

export function packageVersion(folder: string): string | null {
  const found = orElse(() => kept.parsed(readText(`${folder}/package.json`)) as { version?: unknown }, null);
  return typeof found?.version === 'string' ? found.version : null;
}
