/** Files of the machine, through `node:fs`, and modules, through `import` and `require`. */
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ToolError } from '../../../model/errors.ts';
import { orElse } from '../../../model/or-else.ts';
import { userCode } from '../../user-code/user-code.ts';
import type { FileReader, ModuleLoader, PayloadFile, StackLocation } from '../common/platform.ts';
import { placeIn, readError, reading } from '../common/reading.ts';

/** The file functions from before user code was loaded: `syncBuiltinESMExports` changes imported functions. */
export const files = { ...fs };

const CHUNK_BYTES = 1 << 20;
/** Maximum bytes that Node reads into one buffer; no engine has a longer text. */
const MOST_BYTES = 2 ** 31;

export const fileReader: FileReader = {
  bytes: (file, range) =>
    reading(file, async () => {
      // Node finds out that a file is too large once all of it is in memory.
      if (range === undefined && files.statSync(file.file).size > MOST_BYTES)
        throw new ToolError('value-too-large', { file: file.name, detail: 'larger than 2 GiB' });
      const [start, end] = range ?? [];
      const data = range
        ? await buffer(files.createReadStream(file.file, { start, end }))
        : files.readFileSync(file.file);
      return data.byteLength === data.buffer.byteLength ? new Uint8Array(data.buffer) : Uint8Array.from(data);
    }),
  async *chunks(file) {
    try {
      yield* files.createReadStream(file.file, { highWaterMark: CHUNK_BYTES });
    } catch (error) {
      throw readError(error, file.name);
    }
  },
};

export type FreshUrl = (file: string) => string;

let evaluations = 0;

/** Node and Deno cache modules by URL, the query included. */
export const freshQueryUrl: FreshUrl = (file) => {
  evaluations += 1;
  return `${pathToFileURL(file).href}?fresh=${evaluations}`;
};

/** Bun ignores the query of a file URL, and evaluates a module again when its entry in require.cache is removed. */
export const uncachedUrl: FreshUrl = (file) => {
  delete requireCache(file)[file];
  return pathToFileURL(file).href;
};

/** Taken before user code loads. */
const requireFor = createRequire;

const requireCache = (file: string) => requireFor(file).cache;

/** Stacks and caches name modules by their real path; null if the file does not exist. */
const realFile = (file: string): string | null => orElse(() => files.realpathSync(file), null);

function existingFile({ file, name }: PayloadFile): string {
  const real = realFile(file);
  if (real === null) throw new ToolError('file-missing', { file: name });
  return real;
}

const imported = (url: string) => userCode(() => import(url) as Promise<object>);

export const moduleLoader = (freshUrl: FreshUrl): ModuleLoader => ({
  async importModule(module) {
    const file = existingFile(module);
    const namespace = await imported(pathToFileURL(file).href);
    // Bun lists ES modules in `require.cache` too, with the namespace as exports.
    const cached = requireCache(file)[file];
    if (!cached || cached.exports === namespace) return { exports: namespace, kind: 'esm' };
    return { exports: cached.exports, kind: 'commonjs' };
  },
  async importAgain(module, kind) {
    const file = existingFile(module);
    if (kind === 'esm') return { exports: await imported(freshUrl(file)), kind };
    delete requireCache(file)[file];
    const [exports] = await userCode(() => [requireFor(file)(file) as unknown]);
    return { exports, kind };
  },
  /** Finds the place also if the code that ran is a bundle of the user's file. */
  stackLocation(stack, { file: named, name }) {
    const file = realFile(named) ?? named;
    const map = readSourceMap(file);
    const inModule = findLocation(stack, file);
    if (map === null) return inModule;
    const inSource = (source: string, location: StackLocation): StackLocation =>
      source === resolve(name) ? location : { ...location, file: shownPath(source) };
    if (inModule === null) {
      // Deno has already applied the source map: the stack names the original files.
      for (const source of map.sources) {
        const path = resolve(dirname(file), source);
        const location = findLocation(stack, path);
        if (location) return inSource(path, location);
      }
      return null;
    }
    const entry = new nodeModule.SourceMap(map).findEntry(inModule.line - 1, inModule.column - 1);
    if (!('originalLine' in entry)) return null;
    const location = { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
    return inSource(resolve(dirname(file), entry.originalSource), location);
  },
  shownPath,
});

const shownPath = (file: string): string =>
  relative(process.cwd(), file.startsWith('file:') ? fileURLToPath(file) : file);

/** A stack names ES modules by URL (a space is %20 there), and CommonJS and Bun's modules by path. */
const findLocation = (stack: string, file: string): StackLocation | null =>
  placeIn(stack, pathToFileURL(file).href) ?? placeIn(stack, file);

/** The bundler of the host writes the map into the last line. */
function readSourceMap(file: string): (nodeModule.SourceMapPayload & { sources: string[] }) | null {
  return orElse(() => {
    const text = files.readFileSync(file, 'utf8');
    const [, data] = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/.exec(text) ?? [];
    return data === undefined ? null : JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
  }, null);
}
