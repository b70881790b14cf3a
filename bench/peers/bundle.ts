import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const COMMON: BuildOptions = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  logLevel: 'error',
};

/** CommonJS packages ask for modules of Node. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/**
 * The program and its worker as plain modules, so that no runtime has to find packages: `program.mjs` and, in `page`, what
 * pages load.
 */
export async function bundle(root: string, folder: string): Promise<void> {
  const inside = (name: string) => join(root, 'bench', 'peers', 'inside', `${name}.ts`);
  await build({
    ...COMMON,
    entryPoints: [inside('program'), inside('echo')],
    outdir: folder,
    platform: 'node',
    // Native parts are found beside their packages. Without them both decode more slowly.
    external: ['msgpackr-extract', 'cbor-extract'],
    banner: { js: REQUIRE },
  });
  await build({
    ...COMMON,
    entryPoints: [inside('page'), inside('echo')],
    outdir: join(folder, 'page'),
    platform: 'browser',
    // Imported where there is Node.
    external: ['node:*'],
    alias: { avsc: inside('no-avsc') },
  });
}
