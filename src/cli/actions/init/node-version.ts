/** The Node of a project, as actions/setup-node reads it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startOf } from '../../../machine/given-file.ts';

/** Files that hold nothing else. */
const VERSION_FILES = ['.nvmrc', '.node-version'];

interface Manifest {
  engines?: { node?: unknown };
  volta?: { node?: unknown };
  dependencies?: object;
  devDependencies?: object;
}

export function manifestIn(folder: string): Manifest {
  try {
    return Object(JSON.parse(startOf(join(folder, 'package.json')) ?? '')) as Manifest;
  } catch {
    return {};
  }
}

/** @returns the file of the nearest folder that names a version of Node; null if none does */
export function nodeVersionFile(folders: readonly string[]): string | null {
  for (const folder of folders) {
    const file = VERSION_FILES.find((name) => existsSync(join(folder, name)));
    if (file !== undefined) return join(folder, file);
    const { engines, volta } = manifestIn(folder);
    if (typeof (volta?.node ?? engines?.node) === 'string') return join(folder, 'package.json');
  }
  return null;
}
