/** Frames of a stack to the site that posts. */
import type { Site } from '../../model/documents/recording.ts';
import { orElse } from '../../model/or-else.ts';
import { indexOf, lastIndexOf, slice, startsWith } from '../realm/intrinsics.ts';
import type { StackFrame } from '../realm/platform.ts';

const { decodeURIComponent: decode } = globalThis;
const PACKAGES = '/node_modules/';

/** File as it is stored: the text of code in a data: address is the program's own, a blob: address another each time. */
function sitePath(file: string): string {
  if (startsWith(file, 'data:')) return 'data:';
  if (startsWith(file, 'blob:')) return 'blob:';
  // Modules have addresses: a blank of a folder's name is %20.
  const path = startsWith(file, 'file://') ? slice(file, 7) : null;
  return path === null ? file : orElse(() => decode(path), path);
}

/** "/app/node_modules/@scope/name" of a file below it; null outside of packages. */
export function packageFolder(file: string): string | null {
  const start = lastIndexOf(file, PACKAGES);
  if (start < 0) return null;
  const from = start + PACKAGES.length;
  let end = indexOf(file, '/', from);
  if (end > 0 && file[from] === '@') end = indexOf(file, '/', end + 1);
  return end < 0 ? null : slice(file, 0, end);
}

/** The runtime's own frames are passed over. The version of a library is left out. */
export function siteOf(frames: readonly StackFrame[]): Site {
  let library: Site['library'] = null;
  for (let i = 0; i < frames.length; i++) {
    const found = frames[i]!;
    if (startsWith(found.file, 'node:') || found.file === '') continue;
    const file = sitePath(found.file);
    const folder = packageFolder(file);
    const frame = { file, line: found.line, column: found.column, name: found.name };
    if (folder === null) return { user: frame, library };
    const name = slice(folder, lastIndexOf(folder, PACKAGES) + PACKAGES.length);
    library ??= { name, version: null, frame };
  }
  return { user: null, library };
}
