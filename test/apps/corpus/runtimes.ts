/** Programs of Bun and Deno, and pages. Each thread of them imports `counter.js` first. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { type App, fixtures } from './app.ts';

const NO_COUNTER = { 'counter.js': '' };

const PROGRAMS = {
  'web-threads': ['web-threads.mjs', 'web-threads-work.mjs', 'tasks.mjs'],
  'node-threads': ['node-threads.mjs', 'tasks.mjs'],
  comlink: ['comlink-threads.mjs', 'tasks.mjs'],
};

const BUN: RuntimeSpec = 'bun@1.4.5';
const DENO: RuntimeSpec = 'deno@2.9.6';

const DENO_RUN = ['deno', 'run', '-A', '--quiet'];

const alone = (
  name: string,
  runtime: RuntimeSpec,
  start: readonly string[],
  files: readonly string[],
): App => ({
  ...{ name, runtime, importsCounter: true, command: [...start, files[0]!] },
  files: { ...fixtures(...files), ...NO_COUNTER },
});

const PROCESS_APPS: readonly App[] = [
  ...Object.entries(PROGRAMS).flatMap(([program, files]) => [
    alone(`bun-${program}`, BUN, ['bun'], files),
    alone(`deno-${program}`, DENO, DENO_RUN, files),
  ]),
  alone('bun-serve', BUN, ['bun'], ['bun-serve.mjs', 'bun-serve-work.mjs']),
  alone('bun-children', BUN, ['bun'], ['bun-children.mjs']),
  alone('deno-serve', DENO, DENO_RUN, ['deno-serve.ts', 'deno-serve-work.ts']),
];

const PAGES: Record<string, readonly string[]> = {
  worker: ['worker.js', 'work.js', 'inner.js'],
  comlink: ['comlink.js', 'comlink-work.js'],
  'service-worker': ['service-worker.js', 'served.js'],
  broadcast: ['broadcast.js', 'listener.js'],
  frames: ['frames.js', 'frames-frame.js'],
  shared: ['shared.js', 'shared-frame.js', 'shared-work.js'],
  transfers: ['transfers.js', 'transfers-work.js'],
  cache: ['cache.js', 'cache-work.js'],
  kinds: ['kinds.js', 'kinds-work.js'],
  ports: ['ports.js', 'ports-work.js'],
};

const html = (script: string) => `<!doctype html><body><script type="module" src="/${script}"></script>`;
const LIBRARY = readFileSync(join(ROOT, 'node_modules/comlink/dist/esm/comlink.mjs'), 'utf8');

const PAGE_APPS = Object.entries(PAGES).map(
  ([name, files]): App => ({
    name: `chromium-${name}`,
    files: {
      ...NO_COUNTER,
      ...Object.fromEntries(files.map((file) => [file, fixtures(`pages/${file}`)[`pages/${file}`]!])),
      'tasks.mjs': fixtures('tasks.mjs')['tasks.mjs']!,
      'comlink.mjs': LIBRARY,
      'index.html': html(`${name}.js`),
      'frame.html': html(files.find((file) => file.endsWith('-frame.js')) ?? 'listener.js'),
    },
    ...{ command: [], runtime: 'chromium', importsCounter: true },
  }),
);

export const OTHER_APPS: readonly App[] = [...PROCESS_APPS, ...PAGE_APPS];
