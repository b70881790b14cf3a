import { extname } from 'node:path';

/** How a file is read. A `script` is compiled first. */
export type FileKind = 'json' | 'ndjson' | 'text' | 'bytes' | 'module' | 'script' | 'recording';

/** Values of `--as`. */
export type ReadAs = 'text' | 'bytes' | 'json';

const BY_EXTENSION: Record<string, FileKind> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.txt': 'text',
  '.js': 'module',
  '.mjs': 'module',
  '.cjs': 'module',
  '.ts': 'script',
  '.mts': 'script',
  '.cts': 'script',
  '.cprof': 'recording',
};

/** `as` has precedence over the extension; null when neither tells. */
export function fileKindOf(file: string, as: ReadAs | null): FileKind | null {
  return as ?? BY_EXTENSION[extname(file).toLowerCase()] ?? null;
}
