/** Where in the user's own file an error happened, also when what ran is a bundle made of that file. */
import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface StackLocation {
  /** Set when it is another file than the one that was named. */
  file?: string;
  line: number;
  column: number;
}

interface ModuleFile {
  file: string;
  name: string;
}

/** Line and column, both from 1; null when the stack does not pass through the module. */
export function stackLocationIn(stack: string, module: ModuleFile): StackLocation | null {
  const map = sourceMapOf(module.file);
  if (map === null) return placeOf(stack, module.file);
  const sources = map.sources.map((source) => resolve(dirname(module.file), source));
  const named = resolve(module.name);
  const inBundle = placeOf(stack, module.file);
  if (inBundle === null) {
    // Deno has already put the source map to use: the stack names the original files.
    const source = sources.find((file) => placeOf(stack, file) !== null);
    return source === undefined ? null : withFile(placeOf(stack, source), source, named);
  }
  const entry = new nodeModule.SourceMap(map).findEntry(inBundle.line - 1, inBundle.column - 1);
  if (!('originalLine' in entry)) return null;
  const place = { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  return withFile(place, resolve(dirname(module.file), entry.originalSource), named);
}

/** A stack names ES modules by URL, in which a space is %20, and CommonJS and Bun's modules by path. */
function placeOf(stack: string, file: string): StackLocation | null {
  for (const name of [pathToFileURL(file).href, file]) {
    const at = stack.indexOf(name);
    if (at === -1) continue;
    const place = /^(?:\?fresh=\d+)?:(\d+)(?::(\d+))?/.exec(stack.slice(at + name.length));
    if (place) return { line: Number(place[1]), column: Number(place[2] ?? 1) };
  }
  return null;
}

function withFile(place: StackLocation | null, source: string, named: string): StackLocation | null {
  if (place === null || source === named) return place;
  return { ...place, file: relative(process.cwd(), source) };
}

interface SourceMapJson extends nodeModule.SourceMapPayload {
  sources: string[];
}

/** The bundler of the host writes the map into the last line. */
function sourceMapOf(file: string): SourceMapJson | null {
  try {
    const text = readFileSync(file, 'utf8');
    const [, data] = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/.exec(text) ?? [];
    return data === undefined
      ? null
      : (JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as SourceMapJson);
  } catch {
    return null;
  }
}
