import { Buffer } from 'node:buffer';
import type { SourceFiles } from '../common/platform.ts';
import { readError, reading } from '../common/reading.ts';
import { closeSync, createReadStream, openSync, readFileSync, readSync } from './files.ts';

const CHUNK_BYTES = 1 << 20;

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
