/** Places of compiled code in its sources, by the source maps that lie in the folder of the command. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../machine/folders.ts';
import type { Frame } from '../../model/documents/recorded/call-site.ts';

const MAX_BYTES = 32 * 2 ** 20;
const MAX_FILES = 1000;

/** The last one of a file names its map. */
const COMMENT = '# sourceMappingURL=';

interface Mapped {
  map: SourceMap;
  /** What its sources are relative to. */
  folder: string;
}

/**
 * Files in the folder get paths relative to it.
 *
 * @param root folder of the command, absolute: nothing else is read
 * @returns the frame itself where there is no map, or none that can be read
 */
export function frameMapper(root: string): (frame: Frame) => Frame {
  const maps = new Map<string, Mapped | null>();
  return (frame) => {
    const path = resolve(root, frame.file);
    let mapped = maps.get(path);
    if (mapped === undefined) {
      mapped = maps.size < MAX_FILES ? mapOf(path, root) : null;
      maps.set(path, mapped);
    }
    return (mapped && originalOf(frame, mapped, root)) ?? { ...frame, file: shown(frame.file, root) };
  };
}

function originalOf(frame: Frame, { map, folder }: Mapped, root: string): Frame | null {
  const found = map.findEntry(frame.line - 1, frame.column - 1);
  if (!('originalSource' in found) || !found.originalSource) return null;
  // The types lack it: nodejs.org/api/module.html#sourcemapfindentrylineoffset-columnoffset
  const { originalSource, originalLine, originalColumn, name } = found as SourceMapping & { name?: string };
  const file = shown(pathOf(originalSource, folder) ?? originalSource, root);
  return { file, line: originalLine + 1, column: originalColumn + 1, name: name || frame.name };
}

/** Relative to the folder where it is in it. */
function shown(file: string, root: string): string {
  if (!isAbsolute(file) || !isInside(file, root)) return file;
  return relative(root, file).split(sep).join('/');
}

/** null for an address that is no file: webpack://app/src/index.js */
function pathOf(source: string, folder: string): string | null {
  try {
    if (source.startsWith('file:')) return fileURLToPath(source);
    return /^[a-z][a-z+.-]+:/i.test(source) ? null : resolve(folder, source);
  } catch {
    return null;
  }
}

function mapOf(path: string, root: string): Mapped | null {
  try {
    const text = readInside(path, root) ?? '';
    const at = text.lastIndexOf(COMMENT);
    const [url] = (at >= 0 && /^[^\s'"*]+/.exec(text.slice(at + COMMENT.length))) || [];
    if (url === undefined) return null;
    const beside = resolve(dirname(path), decodeURIComponent(url.startsWith('data:') ? '' : url));
    const json = url.startsWith('data:') ? dataOf(url) : readInside(beside, root);
    if (json === null) return null;
    const map = new SourceMap(JSON.parse(json.replace(/^\)\]\}'[^\n]*/, '')));
    return { map, folder: url.startsWith('data:') ? dirname(path) : dirname(beside) };
  } catch {
    // A map may hold anything.
    return null;
  }
}

function dataOf(url: string): string {
  const comma = url.indexOf(',');
  const [head, body] = [url.slice(0, comma), url.slice(comma + 1)];
  return head.endsWith(';base64') ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body);
}

/** null for what is not a file of the folder, or too large. */
function readInside(path: string, root: string): string | null {
  const real = realpathSync(path);
  if (!isInside(real, realpathSync(root))) return null;
  const found = statSync(real);
  return found.isFile() && found.size <= MAX_BYTES ? readFileSync(real, 'utf8') : null;
}
