import { ToolError } from '../../../model/errors.ts';
import { messageOf } from '../../user-code/thrown.ts';
import { partNamed } from '../common/parts.ts';
import type { PayloadFile, SourceReader } from '../common/source-reader.ts';

async function reading<T>({ file, name }: PayloadFile, read: (part: Blob) => Promise<T>): Promise<T> {
  const part = partNamed(file);
  if (part === undefined) throw new ToolError('file-missing', { file: name });
  try {
    return await read(part);
  } catch (error) {
    // A text that is longer than a string of this engine may be.
    const code = error instanceof RangeError ? 'value-too-large' : 'file-unreadable';
    throw new ToolError(code, { file: name, detail: messageOf(error) });
  }
}

/** Files that were dropped on the page, and texts that were pasted. */
export const fileReader: Pick<SourceReader, 'text' | 'textRange' | 'bytes' | 'chunks'> = {
  text: (file) => reading(file, (part) => part.text()),
  textRange: (file, offset, length) => reading(file, (part) => part.slice(offset, offset + length).text()),
  bytes: (file) => reading(file, async (part) => new Uint8Array(await part.arrayBuffer())),
  chunks: async function* (file) {
    yield await fileReader.bytes(file);
  },
};
