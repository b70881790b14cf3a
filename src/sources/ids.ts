/** Report ids: the stem of the file, with more of its path where stems are equal. */
import { basename, extname } from 'node:path';
import { cutName } from '../model/cut.ts';

const stem = (file: string) => basename(file, extname(file));

/**
 * A different id for each path ("/" between folders), in the same order; depends only on the paths.
 *
 * @param given ids that some paths have already; they change only when two are equal
 */
export function idsOf(paths: readonly string[], given: ReadonlyMap<string, string> = new Map()): string[] {
  const ids = new Map(given);
  for (const group of groupedBy(new Set(paths.filter((path) => !given.has(path))), stem)) {
    const name =
      namings(group).find((naming) => new Set(group.map(naming)).size === group.length) ??
      ((path: string) => path);
    for (const path of group) ids.set(path, name(path));
  }
  // "rows.json" may also be the stem of "rows.json.txt".
  const clashing = groupedBy(ids.keys(), (path) => ids.get(path) ?? path).filter(({ length }) => length > 1);
  for (const path of clashing.flat()) ids.set(path, path);
  return paths.map((path) => cutName(ids.get(path) ?? path));
}

/** From short to long: rows, rows.json, a/rows, a/rows.json, x/a/rows, ... */
function namings(group: readonly string[]): ((path: string) => string)[] {
  const depth = Math.max(...group.map((path) => path.split('/').length));
  return Array.from({ length: depth }, (_, folders) => [
    (path: string) => [...lastFolders(path, folders), stem(path)].join('/'),
    (path: string) => [...lastFolders(path, folders), basename(path)].join('/'),
  ]).flat();
}

function lastFolders(path: string, count: number): string[] {
  const folders = path.split('/').slice(0, -1);
  return count === 0 ? [] : folders.slice(-count);
}

function groupedBy(paths: Iterable<string>, key: (path: string) => string): string[][] {
  const groups = new Map<string, string[]>();
  for (const path of paths) groups.set(key(path), [...(groups.get(key(path)) ?? []), path]);
  return [...groups.values()];
}
