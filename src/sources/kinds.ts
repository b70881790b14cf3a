import { extname } from 'node:path';

/** How a file is read. `script` needs a compiler first. */
export type Kind = 'json' | 'ndjson' | 'text' | 'bytes' | 'module' | 'script';

/** What `--as` may say. */
export type As = 'text' | 'bytes' | 'json';

const BY_ENDING: Record<string, Kind> = {
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
};

/** What the user says counts more than the ending; null when neither tells. */
export function kindOf(file: string, as: As | null): Kind | null {
  return as ?? BY_ENDING[extname(file).toLowerCase()] ?? null;
}
