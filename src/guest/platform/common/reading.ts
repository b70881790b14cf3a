import { ToolError } from '../../../model/errors.ts';
import type { ModulePosition } from '../../../model/run/runtime.ts';
import { thrownCode, thrownMessage } from '../../user-code/user-code.ts';
import type { ByteRange, FileReader, PayloadFile } from './platform.ts';

const LONGER_THAN_TEXT = 'longer than a text may be (in V8 536,870,888 characters)';

export function readError(error: unknown, file: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = thrownCode(error);
  if (code === 'ENOENT') return new ToolError('file-missing', { file });
  if (code === 'ERR_STRING_TOO_LONG')
    return new ToolError('value-too-large', { file, detail: LONGER_THAN_TEXT });
  const isTooLarge = error instanceof RangeError || code === 'ERR_FS_FILE_TOO_LARGE';
  return new ToolError(isTooLarge ? 'value-too-large' : 'file-unreadable', {
    file,
    detail: thrownMessage(error),
  });
}

export async function reading<T>(file: PayloadFile, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw readError(error, file.name);
  }
}

export const responseReader = (
  open: (file: PayloadFile, range?: ByteRange) => Response | Promise<Response>,
): FileReader => ({
  bytes: (file, range) =>
    reading(file, async () => new Uint8Array(await (await open(file, range)).arrayBuffer())),
  async *chunks(file) {
    try {
      const reader = (await open(file)).body?.getReader();
      for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read())
        yield part.value;
    } catch (error) {
      throw readError(error, file.name);
    }
  },
});

/** The place in a module that a stack names so, perhaps with a query; null if it does not. */
export function placeIn(stack: string, name: string): ModulePosition | null {
  const at = stack.indexOf(name);
  const position =
    at === -1 ? null : /^(?:\?fresh=\d+)?:(\d+)(?::(\d+))?/.exec(stack.slice(at + name.length));
  return position && { line: Number(position[1]), column: Number(position[2] ?? 1) };
}
