import { join } from 'node:path';
import { build } from 'esbuild';

/** The program and its worker as plain modules, so that no runtime has to find packages. */
export async function bundle(root: string, folder: string): Promise<string> {
  const inside = join(root, 'bench', 'peers', 'inside');
  await build({
    entryPoints: [join(inside, 'program.ts'), join(inside, 'echo.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Native parts are found beside their packages. Without them both decode more slowly.
    external: ['msgpackr-extract', 'cbor-extract'],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'error',
  });
  return join(folder, 'program.mjs');
}
