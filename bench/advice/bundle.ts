import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const ENTRIES = ['timed-analyze', 'traced-analyze', 'rewrites-run', 'rewrites-echo'];

/** The tool with `rivals/traced-guest.ts` in place of the module that asks guests. */
const traced = (root: string): Plugin => ({
  name: 'traced',
  setup(builder) {
    builder.onResolve({ filter: /\/fresh-guest\.ts$/ }, ({ importer }) =>
      basename(importer) === 'traced-guest.ts'
        ? null
        : { path: join(root, 'bench', 'rivals', 'traced-guest.ts') },
    );
  },
});

/** What runs in processes of its own, into `folder`. The tool finds `dist/guest` upwards from there. */
export async function bundle(root: string, folder: string): Promise<void> {
  await build({
    entryPoints: ENTRIES.map((name) => join(root, 'bench', 'rivals', `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['bun:*', 'v8-profiler-next', 'esbuild'],
    plugins: [traced(root)],
    logLevel: 'error',
  });
}
