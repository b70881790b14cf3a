/**
 * Reads files that any user may have made or named. Such a file may be a pipe without a writer or a device without an
 * end, so no read waits forever, and only files and pipes are read.
 */

import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { ToolError } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import { DEFAULTS } from '../model/run/runtime.ts';
import { timerMs } from './waiting.ts';

export type Chunks = AsyncIterable<Uint8Array | string>;

export interface Waiting {
  /** A pipe that is silent for this time is closed. Default: the value of `--timeout`. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** An ordinary `open` of a pipe waits for its writer, in a thread that cannot be cancelled. */
export const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** @throws Error with a code if the file cannot be opened, or an Error saying that it is neither a file nor a pipe */
export function streamOf(path: string, waiting: Waiting = {}): Readable {
  const found = statSync(path);
  if (found.isDirectory()) throw Object.assign(new Error('EISDIR: it is a directory'), { code: 'EISDIR' });
  if (!found.isFile() && !found.isFIFO()) throw new Error('not a regular file');
  const fd = openSync(path, AT_ONCE);
  const { timeoutMs = DEFAULTS.timeoutMs, signal } = waiting;
  // The file may have been replaced by a pipe since the check.
  const stream = fstatSync(fd).isFile() ? createReadStream('', { fd }) : pipeOf(fd, timeoutMs);
  return signal === undefined ? stream : addAbortSignal(signal, stream);
}

function pipeOf(fd: number, timeoutMs: number): Socket {
  const socket = new Socket({ fd, writable: false });
  const silent = `nothing came through this pipe for ${timeoutMs / 1000} s`;
  return socket.setTimeout(timerMs(timeoutMs), () => socket.destroy(new Error(silent)));
}

export async function textOf(path: string, mostBytes: number, waiting: Waiting): Promise<string> {
  return boundedText(streamOf(path, waiting), mostBytes, () => new Error(`larger than ${mib(mostBytes)}`));
}

export const mib = (bytes: number): string => `${bytes / 2 ** 20} MiB`;

/** Passes the chunks on, which may never end. @throws the error that `tooLarge` makes, without reading the rest */
export async function* bounded(chunks: Chunks, mostBytes: number, tooLarge: () => Error) {
  let size = 0;
  for await (const chunk of chunks) {
    const part = Buffer.from(chunk as string);
    size += part.length;
    if (size > mostBytes) throw tooLarge();
    yield part;
  }
}

/** @throws the error that `tooLarge` makes */
export async function boundedText(chunks: Chunks, mostBytes: number, tooLarge: () => Error): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of bounded(chunks, mostBytes, tooLarge)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** Far more than people write by hand: a config, a package.json. */
export const HAND_WRITTEN_BYTES = 16 * 2 ** 20;

/** The start of the file, up to the limit; null if it is not a regular file. */
export function startIn(
  path: string,
  mostBytes: number,
  flags = AT_ONCE,
): { size: number; bytes: Buffer } | null {
  const fd = openSync(path, flags);
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) return null;
    const bytes = Buffer.alloc(Math.min(found.size, mostBytes));
    let read = 0;
    for (let got = -1; got !== 0 && read < bytes.length; read += got)
      got = readSync(fd, bytes, read, bytes.length - read, read);
    return { size: found.size, bytes: bytes.subarray(0, read) };
  } finally {
    closeSync(fd);
  }
}

/** Text of a regular file up to the limit; null if it cannot be read. */
export const startOf = (path: string, mostBytes = HAND_WRITTEN_BYTES): string | null =>
  orElse(() => (statSync(path).isFile() ? startIn(path, mostBytes) : null), null)?.bytes.toString() ?? null;

/** Error for an output file that exists. @param file as the user named it @param marker first words of our files */
export const foreignFile = (file: string, marker: string): ToolError =>
  new ToolError('output-unwritable', {
    file,
    detail: `it is there, and clone-prof did not write it: its first line does not start with "${marker}"`,
  });
