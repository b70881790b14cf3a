import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Stored, type StoredResult, together } from '../app/report/together.ts';
import type { Chunks } from '../machine/given-file.ts';
import { ToolError } from '../model/errors.ts';
import { readResult } from '../store/stored-results.ts';

/** "-" is stdin. */
interface Place {
  cwd: string;
  stdin: () => Chunks;
}

/**
 * Stored results as one document: read, joined or compared.
 *
 * @throws ToolError 'usage' where they have nothing in common; of a file that cannot be read
 */
export async function storedReports(
  [first, ...others]: readonly [string, ...string[]],
  join: boolean,
  place: Place,
): Promise<StoredResult> {
  refuseTwice([first, ...others], place.cwd);
  const read = async (file: string): Promise<Stored> => {
    const from = file === '-' ? place.stdin() : resolve(place.cwd, file);
    return { file, result: await readResult(from, file) };
  };
  const stored: [Stored, ...Stored[]] = [await read(first)];
  for (const file of others) stored.push(await read(file));
  return together(stored, join);
}

/** @throws ToolError 'usage' */
function refuseTwice(files: readonly string[], cwd: string): void {
  const seen = new Map<string, string>();
  for (const file of files) {
    const given = resolve(cwd, file);
    // What is not there is told when it is read.
    const path = existsSync(given) ? realpathSync(given) : given;
    const other = seen.get(path);
    if (other !== undefined) {
      const detail = other === file ? `${file} is named twice` : `${other} and ${file} are the same file`;
      throw new ToolError('usage', { detail: `report: ${detail}. Name each once` });
    }
    seen.set(path, file);
  }
}
