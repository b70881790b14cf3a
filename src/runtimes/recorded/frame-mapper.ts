/** The lines of the program's own sources, by the source maps of the files that it runs. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../machine/folders.ts';
import type { Frame } from '../../model/documents/recorded/call-site.ts';
import { orElse } from '../../model/or-else.ts';

const MAX_BYTES = 32 * 2 ** 20;
const MAX_FILES = 1000;
const FETCH_MS = 5000;

/** The last such comment in a file names its source map. */
const COMMENT = '# sourceMappingURL=';

/** Files, or what a page loads. */
interface Sources {
  /** Path or address of what a frame names. */
  placeOf(file: string): string;
  /** Place that a file names relative to `place`; null if the address leads nowhere: webpack://app/src/index.js */
  beside(place: string, named: string): string | null;
  /** null for what is not the program's, cannot be read or is too large. */
  read(place: string): Promise<string | null>;
  /** Path in the form that recordings use. */
  shown(place: string): string;
}

interface Mapped {
  map: SourceMap;
  /** Path or address that the map's sources are relative to. */
  base: string;
}

type MapFrame = (frame: Frame) => Frame;

/** @param files of all frames @returns a function that returns the frame unchanged if it cannot read a map */
export async function frameMapper(sources: Sources, files: readonly string[]): Promise<MapFrame> {
  const maps = new Map<string, Mapped | null>();
  // A map may hold anything.
  for (const place of [...new Set(files.map(sources.placeOf))].slice(0, MAX_FILES))
    maps.set(place, await mapOf(place, sources).catch(() => null));
  return (frame) => {
    const mapped = maps.get(sources.placeOf(frame.file));
    return (mapped && originalOf(frame, mapped, sources)) ?? { ...frame, file: sources.shown(frame.file) };
  };
}

function originalOf(frame: Frame, { map, base }: Mapped, { beside, shown }: Sources): Frame | null {
  const found = map.findEntry(frame.line - 1, frame.column - 1);
  if (!('originalSource' in found) || !found.originalSource) return null;
  // The types lack it: nodejs.org/api/module.html#sourcemapfindentrylineoffset-columnoffset
  const { originalSource, originalLine, originalColumn, name } = found as SourceMapping & { name?: string };
  const file = shown(beside(base, originalSource) ?? originalSource);
  return { file, line: originalLine + 1, column: originalColumn + 1, name: name || frame.name };
}

async function mapOf(place: string, { read, beside }: Sources): Promise<Mapped | null> {
  const text = (await read(place)) ?? '';
  const at = text.lastIndexOf(COMMENT);
  const [url] = (at >= 0 && /^[^\s'"*]+/.exec(text.slice(at + COMMENT.length))) || [];
  // Line numbers of a script inside a document differ from line numbers of the document.
  if (url === undefined || /^\s*</.test(text)) return null;
  const isInline = url.startsWith('data:');
  const base = isInline ? place : beside(place, decodeURIComponent(url));
  const json = isInline ? dataOf(url) : base && (await read(base));
  if (base === null || !json) return null;
  return { map: new SourceMap(JSON.parse(json.replace(/^\)\]\}'[^\n]*/, ''))), base };
}

function dataOf(url: string): string {
  const comma = url.indexOf(',');
  const [head, body] = [url.slice(0, comma), url.slice(comma + 1)];
  return head.endsWith(';base64') ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body);
}

const SCHEME = /^[a-z][a-z+.-]+:/i;

/** @param root folder of the command, absolute: nothing else is read, and files in it get paths relative to it */
export const filesBelow = (root: string): Sources => ({
  placeOf: (file) => resolve(root, file),
  beside(place, named) {
    if (named.startsWith('file:')) return orElse(() => fileURLToPath(named), null);
    return SCHEME.test(named) ? null : resolve(dirname(place), named);
  },
  read: async (place) => readInside(place, root),
  shown(file) {
    if (!isAbsolute(file) || !isInside(file, root)) return file;
    return relative(root, file).split(sep).join('/');
  },
});

/** null for what is not a file of the folder, or too large. */
function readInside(path: string, root: string): string | null {
  const real = realpathSync(path);
  if (!isInside(real, realpathSync(root))) return null;
  const found = statSync(real);
  return found.isFile() && found.size <= MAX_BYTES ? readFileSync(real, 'utf8') : null;
}

/** @param address of the page: other origins are not requested; for a page from disk, only its folder is read */
export function loadedFrom(address: string): Sources {
  const root = new URL('/', address).href;
  const folder = address.startsWith('file:') ? dirname(fileURLToPath(address)) : null;
  // Its server may have ended.
  let isGone = false;
  return {
    placeOf: (file) => orElse(() => new URL(file, root).href, file),
    beside: (place, named) =>
      SCHEME.test(named) && !named.startsWith(root) ? null : orElse(() => new URL(named, place).href, null),
    async read(place) {
      if (!place.startsWith(root) || isGone) return null;
      if (folder !== null) return readInside(fileURLToPath(place), folder);
      const response = await fetch(place, { signal: AbortSignal.timeout(FETCH_MS) }).catch(() => null);
      isGone = response === null;
      if (response === null || !response.ok || !response.url.startsWith(root)) return null;
      const text = await response.text();
      return text.length <= MAX_BYTES ? text : null;
    },
    shown(place) {
      if (!place.startsWith(root)) return place;
      return folder === null ? place.slice(root.length) || '/' : fileURLToPath(place);
    },
  };
}
