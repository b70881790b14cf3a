import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.ts';

/** This package's own version. */
export function toolVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}
