/** What a program is denied where a machine, or a shell, has no more to give. */
import { tmpdir } from 'node:os';
import { ToolError } from '../model/errors.ts';

const NO_SPACE = ['ENOSPC', 'EDQUOT'];
const NO_FILES = ['EMFILE', 'ENFILE'];

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

export const isNoSpace = (error: unknown): boolean => NO_SPACE.includes(codeOf(error));

/** What is written besides the files that were asked for is in the temp folder. */
export const noSpaceLeft = (cause?: unknown): ToolError =>
  new ToolError(
    'temp-unwritable',
    { folder: tmpdir(), detail: 'no space left in the temp folder' },
    { cause },
  );

/** The expected error of an unexpected one that a limit of the machine made; null for others. */
export function limitReached(error: unknown): ToolError | null {
  if (isNoSpace(error)) return noSpaceLeft(error);
  return NO_FILES.includes(codeOf(error)) ? new ToolError('too-many-files', {}, { cause: error }) : null;
}
