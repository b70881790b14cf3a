/** Programs of Bun and Deno, and pages. Each thread of them imports `counter.js` first. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import type { App } from './app.ts';
import { fixtures } from './libraries.ts';

const NO_COUNTER = { 'counter.js': '' };

const PROGRAMS = {
  'web-threads': ['web-threads.mjs', 'web-threads-work.mjs', 'tasks.mjs'],
  'node-threads': ['node-threads.mjs', 'tasks.mjs'],
};

const STARTS: [name: string, runtime: RuntimeSpec, start: readonly string[]][] = [
  ['bun', 'bun@1.4.5', ['bun']],
  ['deno', 'deno@2.9.6', ['deno', 'run', '-A', '--quiet']],
];

const RUNTIME_APPS = STARTS.flatMap(([name, runtime, start]) =>
  Object.entries(PROGRAMS).map(
    ([program, files]): App => ({
      name: `${name}-${program}`,
      files: { ...fixtures(...files), ...NO_COUNTER },
      command: [...start, files[0]!],
      runtime,
      importsCounter: true,
    }),
  ),
);

const PAGES: Record<string, readonly string[]> = {
  worker: ['worker.js', 'work.js', 'inner.js'],
  comlink: ['comlink.js', 'comlink-work.js'],
  'service-worker': ['service-worker.js', 'served.js'],
  broadcast: ['broadcast.js', 'listener.js'],
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
      'frame.html': html('listener.js'),
    },
    ...{ command: [], runtime: 'chromium', importsCounter: true },
  }),
);

export const OTHER_APPS: readonly App[] = [...RUNTIME_APPS, ...PAGE_APPS];
