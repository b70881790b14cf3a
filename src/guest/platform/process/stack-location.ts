/** Where in the user's own file an error happened, also when the code that ran is a bundle of that file. */
import { Buffer } from 'node:buffer';
import nodeModule from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { PayloadFile, StackLocation } from '../common/source-reader.ts';
import { readFileSync, realpathSync } from './files.ts';

export const shownPath = (file: string): string =>
  relative(process.cwd(), file.startsWith('file:') ? fileURLToPath(file) : file);

/** Line and column, both from 1; null when the stack does not pass through the module. */
export function stackLocation(stack: string, { file: named, name }: PayloadFile): StackLocation | null {
  const file = realFile(named);
  const map = sourceMapOf(file);
  const inModule = locationOf(stack, file);
  if (map === null) return inModule;
  const folder = dirname(file);
  if (inModule === null) {
    // Deno has already applied the source map: the stack names the original files.
    const sources = map.sources.map((source) => resolve(folder, source));
    const source = sources.find((one) => locationOf(stack, one) !== null);
    return source === undefined ? null : withFile(locationOf(stack, source), source, name);
  }
  const entry = new nodeModule.SourceMap(map).findEntry(inModule.line - 1, inModule.column - 1);
  if (!('originalLine' in entry)) return null;
  const location = { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  return withFile(location, resolve(folder, entry.originalSource), name);
}

/** A stack names modules by their real path. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** A stack names ES modules by URL, in which a space is %20, and CommonJS and Bun's modules by path. */
function locationOf(stack: string, file: string): StackLocation | null {
  for (const name of [pathToFileURL(file).href, file]) {
    const at = stack.indexOf(name);
    if (at === -1) continue;
    const position = /^(?:\?fresh=\d+)?:(\d+)(?::(\d+))?/.exec(stack.slice(at + name.length));
    if (position) return { line: Number(position[1]), column: Number(position[2] ?? 1) };
  }
  return null;
}

function withFile(location: StackLocation | null, source: string, name: string): StackLocation | null {
  if (location === null || source === resolve(name)) return location;
  return { ...location, file: shownPath(source) };
}

interface SourceMapJson extends nodeModule.SourceMapPayload {
  sources: string[];
}

/** The bundler of the host writes the map into the last line. */
function sourceMapOf(file: string): SourceMapJson | null {
  try {
    const text = readFileSync(file, 'utf8');
    const [, data] = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/.exec(text) ?? [];
    if (data === undefined) return null;
    return JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as SourceMapJson;
  } catch {
    return null;
  }
}
