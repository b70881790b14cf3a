/** A stream -> a file in the work folder: a guest is another process and cannot read our stdin or pipes. */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ToolError } from '../model/errors.ts';

export type Chunks = AsyncIterable<Uint8Array | string>;

/** Chunk by chunk: the host's memory stays flat. @throws ToolError file-empty, file-unreadable */
export async function spool(chunks: Chunks, into: string, shown: string): Promise<void> {
  const target = createWriteStream(into);
  try {
    await pipeline(chunks, target);
  } catch (error) {
    throw new ToolError(
      'file-unreadable',
      { file: shown, detail: (error as Error).message },
      { cause: error },
    );
  }
  if (target.bytesWritten === 0) throw new ToolError('file-empty', { file: shown });
}

export function spoolPipe(path: string, into: string, shown: string): Promise<void> {
  return spool(createReadStream(path), into, shown);
}
