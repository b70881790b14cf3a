/** Resolves `import { toMessage, fromMessage } from './orders.json?codec'` in the modules of a bundle. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { createUnplugin } from 'unplugin';
import { readSamples } from '../../app/world/analysis.ts';
import { withWork } from '../../app/world/services.ts';
import { exportedBy } from '../../codec/files/codec-names.ts';
import { schemaCodec } from '../../codec/make/codec.ts';
import { schemaDeclarations, withoutSchema } from '../../codec/module/module.ts';
import { toolVersion } from '../../machine/folders.ts';
import { foreignFile, startOf } from '../../machine/given-file.ts';
import type { Emit } from '../../model/run/events.ts';
import { DEFAULTS } from '../../model/run/runtime.ts';
import type { CodecPluginOptions } from './options.ts';

const QUERY = /\?codec$/;

const ENDING = '.codec.js';

/** An absolute path that does not exist starts at the root of the project, as in vite. */
function resolveSample(id: string, importer: string | undefined): string {
  const path = id.replace(QUERY, '');
  const folder = importer === undefined ? process.cwd() : dirname(importer);
  if (!isAbsolute(path)) return resolve(folder, path);
  return existsSync(path) ? path : join(process.cwd(), path);
}

export const codecs = createUnplugin((options: CodecPluginOptions = {}, { framework }) => {
  // This prefix keeps other plugins off; `\0` is rollup's convention. esbuild prints the name, so there it is readable.
  const prefix = framework === 'esbuild' ? 'sample:' : '\0clone-prof:';
  const cwd = process.cwd();
  return {
    name: 'clone-prof',
    // This plugin must run before any plugin that reads JSON.
    enforce: 'pre',
    resolveId(id, importer) {
      if (!QUERY.test(id)) return null;
      // A relative path makes the bundle the same on all machines.
      return prefix + relative(cwd, resolveSample(id, importer)).replaceAll('\\', '/') + ENDING;
    },
    loadInclude: (id) => id.startsWith(prefix),
    async load(id) {
      const sample = resolve(cwd, id.slice(prefix.length, -ENDING.length));
      const note = (text: string) => this.warn(text);
      const { code, declarations, files } = await sampleCodec(sample, options, cwd, note);
      for (const file of files) this.addWatchFile(resolve(cwd, file));
      // TypeScript cannot declare a module by a glob.
      if (options.types !== undefined && !sample.includes('*')) {
        writeDeclarations(resolve(cwd, options.types), { sample, declarations });
      }
      return code;
    },
    // vite builds workers with a separate list of plugins. If this plugin were not in it, they would get the sample.
    vite: { config: () => ({ worker: { plugins: () => [codecs.vite(options)] } }) },
  };
});

const sampleName = (file: string): string =>
  basename(file)
    .replace(/\..*$/s, '')
    .replace(/[*?[\]{}]/g, '') || 'payload';

/**
 * @param file a path or a glob
 * @throws ToolError for a sample that cannot be read; Error if it cannot be compiled to a codec
 */
async function sampleCodec(
  file: string,
  { runtime = 'node', view = false, types, type = {} }: CodecPluginOptions,
  cwd: string,
  onNote: (text: string) => void,
) {
  const emit: Emit = (event) => event.type === 'note' && onNote(event.text);
  const query = { samples: [file], as: null, exports: null, runtime, timeoutMs: DEFAULTS.timeoutMs };
  const { recipes, schema, none } = await withWork({ cwd, emit }, (work) => readSamples(work, query));
  if (schema === null) throw new Error(`${relative(cwd, file)}: no codec: ${none.why}. ${none.instead}`);
  const name = sampleName(file);
  const sources = recipes.map(({ source }) => source);
  const files = [...new Set(sources.map((source) => source.file))];
  const shown = files.map((one) => relative(cwd, one).replaceAll('\\', '/'));
  const module = schemaCodec(schema, { version: toolVersion(), files: shown, name, view });
  const [, named = null] = Object.entries(type).find(([sample]) => resolve(cwd, sample) === file) ?? [];
  const exported = types === undefined ? null : exportedBy(resolve(cwd, types), sources, cwd, named);
  return {
    code: withoutSchema(module, 'javascript'),
    declarations: schemaDeclarations(module.codec, { exported, id: name }),
    files,
  };
}

const MARKER = '// clone-prof codecs';
const HEAD = `${MARKER}: written by the bundler plugin. One module for each sample.\n`;

const BLOCK = /^\/\/ sample: (.*)\ndeclare module .*\{\n((?:[^}].*\n|\n)*)\}\n/gm;

/**
 * Adds or replaces the declarations of one sample. A development server sees samples one after the other, so the
 * declarations of other samples stay as long as these samples exist.
 *
 * @throws ToolError 'output-unwritable' for a file that the plugin did not write
 */
export function writeDeclarations(
  file: string,
  { sample, declarations }: { sample: string; declarations: string },
): void {
  const before = startOf(file) ?? '';
  if (before !== '' && !before.startsWith(MARKER)) throw foreignFile(file, MARKER);
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
 * TypeScript matches the end of the import, "./orders.json?codec". Samples with the same name are distinguished by
 * their folders. An import that does not name the folder then has no types, rather than wrong types.
 */
function moduleName(sample: string, all: readonly string[]): string {
  const parts = sample.split('/');
  const endOf = (count: number) => `/${parts.slice(-count).join('/')}`;
  const isUnique = (end: string) => all.every((other) => other === sample || !`/${other}`.endsWith(end));
  const count = parts.findIndex((_, at) => isUnique(endOf(at + 1))) + 1;
  return `*${endOf(count || parts.length)}?codec`;
}
