/** The rule book's payloads: a module for each rule, which the build keeps as one file of this package. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from './package-file.ts';

/** Code of each module by the name of its file: `jsc-nested-value.js`. */
export const rulePayloads = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(packageFile('dist/rule-payloads.json'), 'utf8')) as Record<string, string>;

/** Writes the modules into a new folder, because guests load payloads from files. */
export function writeRulePayloads(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const [name, code] of Object.entries(rulePayloads())) writeFileSync(join(folder, name), code);
}
