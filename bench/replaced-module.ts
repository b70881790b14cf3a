import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * For esbuild: a module of `bench/rivals` in place of one of `src`, which it may import. A bundle in which nothing imports that
 * one is an error: it would measure what is not replaced.
 */
export const replacedModule = (root: string, module: string, rival: string): Plugin => ({
  name: 'replaced-module',
  setup(builder) {
    const replaced = join(root, 'src', module);
    const path = join(root, 'bench', 'rivals', rival);
    let imports = 0;
    builder.onResolve({ filter: /^\..*\.ts$/ }, ({ path: asked, resolveDir, importer }) => {
      if (importer === path || join(resolveDir, asked) !== replaced) return null;
      imports++;
      return { path };
    });
    builder.onEnd(() => (imports > 0 ? null : { errors: [{ text: `nothing imports ${module}` }] }));
  },
});
