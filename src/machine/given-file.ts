/**
 * Reads files that anybody may have made, or named. One may be a pipe without a writer or a device without an end, so nothing
 * waits for ever, and nothing is read that is neither a file nor a pipe.
 */

import { createHash } from 'node:crypto';
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ToolError } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import { DEFAULTS } from '../model/presets.ts';
import { timerMs } from '../model/timer.ts';

export type Chunks = AsyncIterable<Uint8Array | string>;

export interface Waiting {
  /** A pipe through which nothing comes for so long is given up. Default: that of `--timeout`. */
  timeoutMs?: number;
  /** Ends the wait. */
  signal?: AbortSignal;
}

/** An ordinary `open` of a pipe waits for its writer, in a thread that cannot be cancelled. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** @throws Error with a code where it cannot be opened, and one that says that it is neither a file nor a pipe */
export function streamOf(path: string, waiting: Waiting = {}): Readable {
  const found = statSync(path);
  if (!found.isFile() && !found.isFIFO()) throw notReadable(found.isDirectory());
  const fd = openSync(path, AT_ONCE);
  const { timeoutMs = DEFAULTS.timeoutMs, signal } = waiting;
  // What was a file may be a pipe by now.
  const stream = fstatSync(fd).isFile() ? createReadStream('', { fd }) : pipeOf(fd, timeoutMs);
  return signal === undefined ? stream : addAbortSignal(signal, stream);
}

function notReadable(isFolder: boolean): Error {
  if (isFolder) return Object.assign(new Error('EISDIR: it is a directory'), { code: 'EISDIR' });
  return new Error('not a regular file');
}

/** Polled, so that it can be given up. */
function pipeOf(fd: number, timeoutMs: number): Socket {
  const socket = new Socket({ fd, writable: false });
  const silent = `nothing came through this pipe for ${timeoutMs / 1000} s`;
  return socket.setTimeout(timerMs(timeoutMs), () => socket.destroy(new Error(silent)));
}

/** @throws Error where it is too large, and those of `streamOf` */
export async function textOf(path: string, mostBytes: number, waiting: Waiting): Promise<string> {
  return boundedText(streamOf(path, waiting), mostBytes, () => new Error(`larger than ${mib(mostBytes)}`));
}

/** Of the bytes of a file, read piece by piece. */
export async function hashOfFile(
  path: string,
  algorithm: 'sha256' | 'sha512',
  encoding: 'hex' | 'base64',
): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(streamOf(path), hash);
  return hash.digest(encoding);
}

export const mib = (bytes: number): string => `${bytes / 2 ** 20} MiB`;

/** To the limit only: what a stream still has is not known. @throws what `tooLarge` makes */
export async function boundedText(chunks: Chunks, mostBytes: number, tooLarge: () => Error): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const part = Buffer.from(chunk as string);
    size += part.length;
    if (size > mostBytes) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Files that people write by hand, such as a config or a package.json, are far smaller. */
export const HAND_WRITTEN_BYTES = 16 * 2 ** 20;

/** The text of a regular file, as far as the limit; null where there is none that can be read. */
export function startOf(path: string, mostBytes = HAND_WRITTEN_BYTES): string | null {
  return orElse(() => {
    if (!statSync(path).isFile()) return null;
    const fd = openSync(path, AT_ONCE);
    try {
      const found = fstatSync(fd);
      if (!found.isFile()) return null;
      const bytes = Buffer.alloc(Math.min(found.size, mostBytes));
      let read = 0;
      for (let got = -1; got !== 0 && read < bytes.length; read += got)
        got = readSync(fd, bytes, read, bytes.length - read, read);
      return bytes.toString('utf8', 0, read);
    } finally {
      closeSync(fd);
    }
  }, null);
}

/**
 * The error for a file that is to be written and that somebody else wrote.
 *
 * @param file as the user calls it
 * @param marker first words of the files that may be written over
 */
export const foreignFile = (file: string, marker: string): ToolError =>
  new ToolError('output-unwritable', {
    file,
    detail: `it is there, and clone-prof did not write it: its first line does not start with "${marker}"`,
  });
