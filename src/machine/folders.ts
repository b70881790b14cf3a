import { dirname } from 'node:path';

/** A folder and all folders above it, the nearest first. */
export function foldersUpFrom(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}
