/** Recognizes errors that occur if a machine or a shell has reached a limit. */
import { tmpdir } from 'node:os';
import { ToolError } from '../model/errors.ts';

const NO_SPACE = ['ENOSPC', 'EDQUOT'];
const NO_FILES = ['EMFILE', 'ENFILE'];

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

export const isNoSpace = (error: unknown): boolean => NO_SPACE.includes(codeOf(error));

/** All files except the requested output are written to the temp folder, so that folder must be full. */
export const noSpaceLeft = (cause?: unknown): ToolError =>
  new ToolError(
    'temp-unwritable',
    { folder: tmpdir(), detail: 'no space left in the temp folder' },
    { cause },
  );

/** Converts an error caused by a limit of the machine into an expected error; null for other errors. */
export function limitReached(error: unknown): ToolError | null {
  if (isNoSpace(error)) return noSpaceLeft(error);
  return NO_FILES.includes(codeOf(error)) ? new ToolError('too-many-files', {}, { cause: error }) : null;
}
