import { type ErrorFacts, ToolError } from '../../../model/errors.ts';
import { messageOf } from '../../user-code/thrown.ts';
import type { PayloadFile, SourceReader } from '../common/source-reader.ts';
import { addressOf } from './served.ts';

// Taken before user code loads.
const get = fetch;
const { parse } = JSON;

function readError(error: unknown, { name }: PayloadFile): ToolError {
  if (error instanceof ToolError) return error;
  // A text that is longer than a string of this engine may be.
  const code = error instanceof RangeError ? 'value-too-large' : 'file-unreadable';
  return new ToolError(code, { file: name, detail: messageOf(error) });
}

/** `file` is a key that the host made for a file of a recipe; it serves nothing else. */
async function fetched(file: PayloadFile, headers: Record<string, string> = {}): Promise<Response> {
  const response = await get(addressOf(file.file), { headers });
  if (response.ok) return response;
  if (response.status === 404) throw new ToolError('file-missing', { file: file.name });
  const { facts } = parse(await response.text()) as { facts: ErrorFacts };
  throw ToolError.again('file-unreadable', { ...facts, file: file.name });
}

async function reading<T>(file: PayloadFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw readError(error, file);
  }
}

async function* chunks(file: PayloadFile): AsyncGenerator<Uint8Array> {
  try {
    const reader = (await fetched(file)).body?.getReader();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read())
      yield part.value;
  } catch (error) {
    throw readError(error, file);
  }
}

/** Files that the host serves. */
export const fileReader: Pick<SourceReader, 'text' | 'textRange' | 'bytes' | 'chunks'> = {
  text: (file) => reading(file, async () => (await fetched(file)).text()),
  textRange: (file, offset, length) =>
    reading(file, async () => {
      const range = `bytes=${offset}-${offset + length - 1}`;
      return (await fetched(file, { range })).text();
    }),
  bytes: (file) => reading(file, async () => new Uint8Array(await (await fetched(file)).arrayBuffer())),
  chunks,
};
