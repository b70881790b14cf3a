/** Frames of a stack to the site that posts. */
import type { Frame, Site } from '../../model/documents/recording.ts';
import { indexOf, lastIndexOf, slice, startsWith } from '../realm/intrinsics.ts';
import type { StackFrame } from '../realm/platform.ts';

const PACKAGES = '/node_modules/';

/** File as it is stored: the text of code in a data: address is the program's own, a blob: address another each time. */
function sitePath(file: string): string {
  if (startsWith(file, 'data:')) return 'data:';
  if (startsWith(file, 'blob:')) return 'blob:';
  return startsWith(file, 'file://') ? decoded(slice(file, 7)) : file;
}

const { decodeURIComponent: decode } = globalThis;

/** Modules have addresses: a blank of a folder's name is %20. */
function decoded(path: string): string {
  try {
    return decode(path);
  } catch {
    return path;
  }
}

const frameOf = (file: string, { line, column, name }: StackFrame): Frame => ({ file, line, column, name });

/** "/app/node_modules/@scope/name" of a file below it; null outside of packages. */
export function packageFolder(file: string): string | null {
  const start = lastIndexOf(file, PACKAGES);
  if (start < 0) return null;
  const from = start + PACKAGES.length;
  let end = indexOf(file, '/', from);
  if (end > 0 && file[from] === '@') end = indexOf(file, '/', end + 1);
  return end < 0 ? null : slice(file, 0, end);
}

export const packageName = (folder: string): string =>
  slice(folder, lastIndexOf(folder, PACKAGES) + PACKAGES.length);

/** The runtime's own frames are passed over. The version of a library is left out. */
export function siteOf(frames: readonly StackFrame[]): Site {
  let library: Site['library'] = null;
  for (let i = 0; i < frames.length; i++) {
    const found = frames[i]!;
    if (startsWith(found.file, 'node:') || found.file === '') continue;
    const file = sitePath(found.file);
    const folder = packageFolder(file);
    const frame = frameOf(file, found);
    if (folder === null) return { user: frame, library };
    library ??= { name: packageName(folder), version: null, frame };
  }
  return { user: null, library };
}
