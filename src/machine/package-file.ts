import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersUpFrom } from './folders.ts';

/** Path of a file of this package; works in the sources and in the bundle, whose folders have different depths. */
export function packageFile(name: string): string {
  const folders = foldersUpFrom(dirname(fileURLToPath(import.meta.url)));
  return join(folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? '/', name);
}

export function toolVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}

/** Code by file name: `jsc-nested-value.js`. */
export const rulePayloads = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(packageFile('dist/rule-payloads.json'), 'utf8')) as Record<string, string>;

/** Into a new folder: guests load payloads from files. */
export function writeRulePayloads(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const [name, code] of Object.entries(rulePayloads())) writeFileSync(join(folder, name), code);
}
