import { ToolError } from '../../../model/errors.ts';
import { thrownCode, thrownMessage } from '../../user-code/thrown.ts';
import type { PayloadFile } from './platform.ts';

const TOO_LONG = ['ERR_STRING_TOO_LONG', 'ERR_FS_FILE_TOO_LARGE'];

export function readError(error: unknown, { name }: PayloadFile): ToolError {
  if (error instanceof ToolError) return error;
  const code = thrownCode(error);
  if (code === 'ENOENT') return new ToolError('file-missing', { file: name });
  // A text that is longer than a string of this engine may be.
  const isTooLong = error instanceof RangeError || TOO_LONG.includes(code ?? '');
  return new ToolError(isTooLong ? 'value-too-large' : 'file-unreadable', {
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
