/** Payloads of the rule book: a module for each rule. The build packs them into one file of this package. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from './package-file.ts';

/** Returns the code of each module by file name: `jsc-nested-value.js`. */
export const rulePayloads = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(packageFile('dist/rule-payloads.json'), 'utf8')) as Record<string, string>;

/** Writes the modules into a new folder, because guests load payloads from files. */
export function writeRulePayloads(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const [name, code] of Object.entries(rulePayloads())) writeFileSync(join(folder, name), code);
}
