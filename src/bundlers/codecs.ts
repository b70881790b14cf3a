/** `import { toMessage, fromMessage } from './orders.json?codec'` in what a bundler bundles. */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { createUnplugin } from 'unplugin';
import { writeDeclarations } from './declarations.ts';
import type { CodecPluginOptions } from './options.ts';
import { sampleCodec } from './sample-codec.ts';

const QUERY = /\?codec$/;

const ENDING = '.codec.js';

/** An absolute path that is not there starts at the root of the project, as vite has it. */
function resolveSample(id: string, importer: string | undefined): string {
  const path = id.replace(QUERY, '');
  const folder = importer === undefined ? process.cwd() : dirname(importer);
  if (!isAbsolute(path)) return resolve(folder, path);
  return existsSync(path) ? path : join(process.cwd(), path);
}

export const codecs = createUnplugin((options: CodecPluginOptions = {}, { framework }) => {
  // So that no other plugin takes it for JSON or TypeScript; that of rollup is a convention. esbuild prints the name.
  const prefix = framework === 'esbuild' ? 'sample:' : '\0clone-prof:';
  const cwd = process.cwd();
  return {
    name: 'clone-prof',
    // Before what reads JSON.
    enforce: 'pre',
    resolveId(id, importer) {
      if (!QUERY.test(id)) return null;
      // Bundles are the same on all machines.
      return prefix + relative(cwd, resolveSample(id, importer)).replaceAll('\\', '/') + ENDING;
    },
    loadInclude: (id) => id.startsWith(prefix),
    async load(id) {
      const sample = resolve(cwd, id.slice(prefix.length, -ENDING.length));
      // Loaded with the first codec.
      const note = (text: string) => this.warn(text);
      const { code, declarations, files } = await sampleCodec(sample, options, cwd, note);
      for (const file of files) this.addWatchFile(resolve(cwd, file));
      // TypeScript has no name for a glob.
      if (options.types !== undefined && !sample.includes('*')) {
        writeDeclarations(resolve(cwd, options.types), { sample, declarations });
      }
      return code;
    },
  };
});
