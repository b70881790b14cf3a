import { Buffer } from 'node:buffer';
import { ToolError } from '../../../model/errors.ts';
import type { PayloadFile, SourceFiles } from '../common/platform.ts';
import { readError, reading } from '../common/reading.ts';
import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from './files.ts';

const CHUNK_BYTES = 1 << 20;
/** What Node reads into one buffer; no engine has a longer text. */
const MOST_BYTES = 2 ** 31;

/** Node finds out that a text is too long once all of it is in memory. */
function refuseLarger({ file, name }: PayloadFile, mostBytes: number): void {
  if (statSync(file).size <= mostBytes) return;
  throw new ToolError('value-too-large', { file: name, detail: `larger than ${mostBytes / 2 ** 30} GiB` });
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
export const fileReader = (mostBytes = MOST_BYTES): SourceFiles => ({
  text: (file) =>
    reading(file, () => {
      refuseLarger(file, mostBytes);
      return readFileSync(file.file, 'utf8');
    }),
  textRange: (file, offset, length) => reading(file, () => readRange(file.file, offset, length)),
  bytes: (file) =>
    reading(file, () => {
      refuseLarger(file, mostBytes);
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
});
