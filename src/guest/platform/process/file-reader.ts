import { Buffer } from 'node:buffer';
import { ToolError } from '../../../model/errors.ts';
import { codeOf, messageOf } from '../../user-code/thrown.ts';
import type { PayloadFile, SourceFiles } from '../common/platform.ts';
import { closeSync, createReadStream, openSync, readFileSync, readSync } from './files.ts';

const CHUNK_BYTES = 1 << 20;

function readError(error: unknown, { name }: PayloadFile): ToolError {
  const code = codeOf(error);
  if (code === 'ENOENT') return new ToolError('file-missing', { file: name });
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE' || error instanceof RangeError) {
    return new ToolError('value-too-large', { file: name, detail: messageOf(error) });
  }
  return new ToolError('file-unreadable', { file: name, detail: messageOf(error) });
}

async function reading<T>(file: PayloadFile, read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    throw readError(error, file);
  }
}

function readRange(file: string, offset: number, length: number): string {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const got = readSync(fd, bytes, done, length - done, offset + done);
      if (got === 0) break;
      done += got;
    }
    return bytes.toString('utf8', 0, done);
  } finally {
    closeSync(fd);
  }
}

/** Files of the machine, through `node:fs`. */
export const fileReader: SourceFiles = {
  text: (file) => reading(file, () => readFileSync(file.file, 'utf8')),
  textRange: (file, offset, length) => reading(file, () => readRange(file.file, offset, length)),
  bytes: (file) =>
    reading(file, () => {
      const data = readFileSync(file.file);
      return data.byteLength === data.buffer.byteLength ? new Uint8Array(data.buffer) : Uint8Array.from(data);
    }),
  async *chunks(file) {
    try {
      yield* createReadStream(file.file, { highWaterMark: CHUNK_BYTES });
    } catch (error) {
      throw readError(error, file);
    }
  },
};
