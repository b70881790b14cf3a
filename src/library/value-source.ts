/** A value of the running program as a payload that other processes build: as a module, because they share no memory. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureFromTree } from '../core/recording/fixture/fixture-module.ts';
import { valueTree } from '../core/recording/values/value-tree.ts';
import { ToolError } from '../model/errors.ts';
import type { Source } from '../model/report/recipe.ts';
import { typeDetection } from '../probe/type-detection/type-detection.ts';

/** Id of the payload, and its file in reports. */
export const VALUE = 'value';
const MAX_BYTES = 2 ** 27;

/** True for names of files; any other argument of `analyze` is the payload. */
export const areFiles = (given: unknown): given is string | string[] =>
  typeof given === 'string' || (Array.isArray(given) && given.every((one) => typeof one === 'string'));

/**
 * @param given the payload, or a function that makes it
 * @throws ToolError 'usage' for a value that only its program has: functions, proxies, getters
 */
export async function valueSource(given: unknown, folder: string): Promise<Source> {
  const value: unknown = typeof given === 'function' ? await given() : given;
  const tree = valueTree(value, { types: typeDetection(), mask: false, maxBytes: MAX_BYTES });
  const { text, differences } = fixtureFromTree(tree);
  const [difference] = differences;
  if (difference !== undefined) {
    const detail = `the value cannot be made again in another process: ${difference}. Export it from a module, and name the file: analyze('payload.mjs')`;
    throw new ToolError('usage', { detail });
  }
  const file = join(folder, `${VALUE}.mjs`);
  writeFileSync(file, text);
  const build = { form: 'module', file, original: VALUE, export: 'default', generated: true } as const;
  return { kind: 'ready', recipe: { id: VALUE, source: { file: VALUE, export: null }, build } };
}
