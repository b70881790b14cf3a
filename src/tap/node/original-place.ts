/** Places in TypeScript that is compiled while it is loaded: only the process itself has the map. */
import type { Frame } from '../../model/documents/recorded/call-site.ts';
import { lastIndexOf, slice, startsWith } from '../realm/intrinsics.ts';
import { module } from './builtins.ts';

const { findSourceMap } = module;
const { decodeURIComponent: decode } = globalThis;

/** Other files have their maps in themselves or beside them, where the host finds them. */
const COMPILED_HERE = ['.ts', '.tsx', '.mts', '.cts', '.jsx'];

function isCompiledHere(file: string): boolean {
  const ending = slice(file, lastIndexOf(file, '.'));
  for (let i = 0; i < COMPILED_HERE.length; i++) if (ending === COMPILED_HERE[i]) return true;
  return false;
}

/** The frame itself where there is no map. */
export function originalPlace(frame: Frame): Frame {
  if (!isCompiledHere(frame.file)) return frame;
  const found = findSourceMap(frame.file)?.findEntry(frame.line - 1, frame.column - 1);
  if (found === undefined || !('originalLine' in found)) return frame;
  const { originalSource: source, originalLine, originalColumn } = found;
  const isUrl = startsWith(source, 'file://');
  const file = isUrl ? decode(slice(source, 7)) : startsWith(source, '/') ? source : frame.file;
  return { file, line: originalLine + 1, column: originalColumn + 1, name: frame.name };
}
