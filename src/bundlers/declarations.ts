/** The file that declares the codecs of all samples to TypeScript. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { startOf } from '../machine/given-file.ts';
import { ToolError } from '../model/errors.ts';

const MARKER = '// clone-prof codecs';
const HEAD = `${MARKER}: written by the bundler plugin. One module for each sample.\n`;

/** From the name of the sample to the end of its module. */
const BLOCK = /^\/\/ sample: (.*)\ndeclare module .*\{\n((?:[^}].*\n|\n)*)\}\n/gm;

/**
 * Adds or replaces the declarations of one sample. A server for development sees samples one after the other, so what is known
 * of the others stays, as long as they are there.
 *
 * @throws ToolError 'output-unwritable' for a file that somebody else wrote
 */
export function writeDeclarations(
  file: string,
  { sample, declarations }: { sample: string; declarations: string },
): void {
  const before = startOf(file) ?? '';
  if (before !== '' && !before.startsWith(MARKER)) {
    const detail = `it is there, and clone-prof did not write it: its first line does not start with "${MARKER}"`;
    throw new ToolError('output-unwritable', { file, detail });
  }
  const folder = dirname(file);
  const bodies = new Map<string, string>();
  for (const [, name = '', body = ''] of before.matchAll(BLOCK))
    if (existsSync(resolve(folder, name))) bodies.set(name, body);
  bodies.set(relative(folder, sample).replaceAll('\\', '/'), declarations.replace(/^(?=.)/gm, '  '));
  const names = [...bodies.keys()].sort();
  const blocks = names.map(
    (name) =>
      `\n// sample: ${name}\ndeclare module ${JSON.stringify(moduleName(name, names))} {\n${bodies.get(name)}}\n`,
  );
  const text = HEAD + blocks.join('');
  if (text === before) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
}

/**
 * TypeScript matches the end of what is imported, "./orders.json?codec". Samples of one name are told apart by their folders: an
 * import that does not name the folder has no types then, which is better than those of the other.
 */
function moduleName(sample: string, all: readonly string[]): string {
  const parts = sample.split('/');
  const endOf = (count: number) => `/${parts.slice(-count).join('/')}`;
  const isUnique = (end: string) => all.every((other) => other === sample || !`/${other}`.endsWith(end));
  const count = parts.findIndex((_, at) => isUnique(endOf(at + 1))) + 1;
  return `*${endOf(count || parts.length)}?codec`;
}
