import { join } from 'node:path';
import { build } from 'esbuild';
import { replacedModule } from '../replaced-module.ts';

const ENTRIES = ['timed-analyze', 'traced-analyze', 'rewrites-run', 'rewrites-echo'];

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
    plugins: [replacedModule(root, 'app/job/guest-slot.ts', 'traced-guest.ts')],
    logLevel: 'error',
  });
}
