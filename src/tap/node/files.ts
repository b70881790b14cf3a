/** Files of recorded threads. Nothing is kept open: a program may close what it did not open, and use its number. */
import * as fs from 'node:fs';
import { HEADER, progressOf } from '../../core/recording/threads/counters.ts';
import { orElse } from '../../model/or-else.ts';

const { openSync, writeSync, closeSync, readFileSync } = fs;
/** Neither of the group nor of others. */
const OWN = 0o600;

export const readText = (file: string): string => readFileSync(file, 'utf8');

export function appendTo(file: string, text: string): void {
  const fd = openSync(file, 'a', OWN);
  try {
    writeSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Written over from its start, in one call: what is read is never half of it. */
export function writeCounters(folder: string, counters: Float64Array): void {
  const progress = progressOf(counters);
  const fd = openSync(
    `${folder}/${counters[HEADER.pid]}-${counters[HEADER.thread]}.cnt`,
    fs.constants.O_WRONLY | fs.constants.O_CREAT,
    OWN,
  );
  try {
    writeSync(fd, counters, 0, counters.byteLength, 0);
    counters[HEADER.written] = progress;
  } finally {
    closeSync(fd);
  }
}

const { parse } = JSON;

/** Version of a package, from the manifest in its folder. */
export function packageVersion(folder: string): string | null {
  const found = orElse(() => parse(readText(`${folder}/package.json`)) as { version?: unknown }, null);
  return typeof found?.version === 'string' ? found.version : null;
}
