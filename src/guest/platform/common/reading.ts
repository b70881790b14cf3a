import { ToolError } from '../../../model/errors.ts';
import { thrownCode, thrownMessage } from '../../user-code/thrown.ts';
import type { PayloadFile } from './platform.ts';

/** Reason of a text with more characters than a string of the engine may have. */
const LONGER_THAN_TEXT = 'longer than a text may be (in V8 536,870,888 characters)';

export function readError(error: unknown, { name }: PayloadFile): ToolError {
  if (error instanceof ToolError) return error;
  const code = thrownCode(error);
  if (code === 'ENOENT') return new ToolError('file-missing', { file: name });
  if (code === 'ERR_STRING_TOO_LONG')
    return new ToolError('value-too-large', { file: name, detail: LONGER_THAN_TEXT });
  const isTooLarge = error instanceof RangeError || code === 'ERR_FS_FILE_TOO_LARGE';
  return new ToolError(isTooLarge ? 'value-too-large' : 'file-unreadable', {
    file: name,
    detail: thrownMessage(error),
  });
}

export async function reading<T>(file: PayloadFile, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw readError(error, file);
  }
}
