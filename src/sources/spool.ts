/** Copies a stream into a file in the work folder: a guest is another process and cannot read stdin or pipes. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Chunks, mib, streamOf, type Waiting } from '../machine/given-file.ts';
import { isNoSpace, noSpaceLeft } from '../machine/limits.ts';
import { ToolError } from '../model/errors.ts';

/** No engine holds a longer text. */
const MOST_BYTES = 2 ** 29;

/** Chunk by chunk, so that memory does not grow. @throws ToolError file-empty, file-unreadable, interrupted, temp-unwritable */
export async function spool(
  chunks: Chunks,
  into: string,
  shown: string,
  signal?: AbortSignal,
  mostBytes = MOST_BYTES,
): Promise<void> {
  const target = createWriteStream(into);
  try {
    await pipeline(chunks, atMost(mostBytes), target, { ...(signal ? { signal } : {}) });
  } catch (error) {
    if (signal?.aborted) throw new ToolError('interrupted');
    if (isNoSpace(error)) throw noSpaceLeft(error);
    throw new ToolError(
      'file-unreadable',
      { file: shown, detail: (error as Error).message },
      { cause: error },
    );
  }
  if (target.bytesWritten === 0) throw new ToolError('file-empty', { file: shown });
}

/** A stream may never end. */
const atMost = (most: number) =>
  async function* (chunks: Chunks) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > most) throw new Error(`more than ${mib(most)} come in: write them into a file`);
      yield chunk;
    }
  };

/** Copies a named pipe, which may wait for its writer for ever. */
export async function spoolPipe(path: string, into: string, shown: string, waiting: Waiting): Promise<void> {
  return spool(streamOf(path, waiting), into, shown, waiting.signal);
}
