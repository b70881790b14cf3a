/** Programs that are run plain and recorded, and compared. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TASKS } from '../../../fixtures/apps/tasks.mjs';
import { LIBRARIES, type LibraryName } from '../../../src/model/names.ts';
import { cachedFolder, installOnce } from '../../support/fetched.ts';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';

export interface App {
  name: string;
  /** With their versions, for npm; none where the project's own are used. */
  packages?: readonly string[];
  /** Text by path, made anew for each run. */
  files: Readonly<Record<string, string>>;
  command: readonly string[];
  /** Found by its name before any other; Chromium opens `index.html`. */
  runtime?: RuntimeSpec;
  /** It imports the empty `counter.js` first: that of the web takes its place in a run of its own, and tells calls alone. */
  importsCounter?: true;
  env?: Readonly<Record<string, string>>;
  /** What differs from run to run in what it prints. */
  varying?: RegExp;
  isUnordered?: true;
  /** Messages of a library's envelope that it posts, in both directions. */
  envelopes?: { library: LibraryName; requests: number; replies: number };
}

export const numbered = (count: number, file: (i: number) => [path: string, text: string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => file(i)));

export const isInstalled = (library: LibraryName): boolean =>
  (createRequire(import.meta.url).resolve.paths(library) ?? []).some((one) => existsSync(join(one, library)));

export const fixtures = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, 'fixtures/apps', name), 'utf8')]));

/** A program that posts through a worker library of the project's own development. */
export const libraryApp = (library: LibraryName): App => ({
  name: library,
  files: fixtures('tasks.mjs', `${library}.mjs`),
  command: ['node', `${library}.mjs`],
  envelopes: { library, requests: TASKS, replies: TASKS },
});

export const LIBRARY_APPS = LIBRARIES.filter(isInstalled).map(libraryApp);

/** Installs its packages, once. @returns the folder that they are in @throws what npm printed */
export async function modulesOf({ packages = [] }: App): Promise<string> {
  if (packages.length === 0) return join(ROOT, 'node_modules');
  const folder = cachedFolder(`app-${packages.join('-').replaceAll(/[^\w.-]+/g, '-')}`);
  await installOnce(folder, packages);
  return join(folder, 'node_modules');
}

// Programs of fixtures/apps that post by Node alone, and through packages of npm.

/** @param files beside the first, which is run */
const program = (name: string, files: readonly string[], more: Partial<App> = {}): App => ({
  name,
  files: fixtures(...files),
  command: ['node', files[0]!],
  ...more,
});

const installed = (packages: string, name: string, files: readonly string[], more: Partial<App> = {}): App =>
  program(name, files, { packages: packages.split(' '), ...more });

const TASKS_AND = (file: string) => [file, 'tasks.mjs'];

const OF_ONE_FILE = [
  ...['refusals', 'devtools', 'exits', 'frames', 'views', 'kinds', 'platform-objects', 'hooks'],
  ...['through-streams', 'atomics', 'sizes', 'http-pool', 'cluster-advanced'],
];

export const NODE_APPS: readonly App[] = [
  program('channels', TASKS_AND('channels.mjs')),
  program('children-json', TASKS_AND('children.mjs'), { command: ['node', 'children.mjs', 'json'] }),
  program('children-advanced', TASKS_AND('children.mjs'), { command: ['node', 'children.mjs', 'advanced'] }),
  program('cluster', ['cluster.mjs']),
  program('killed', ['killed.mjs']),
  ...OF_ONE_FILE.map((name) => program(name, [`${name}.mjs`])),
  program('environments', ['environments.cjs']),
  program('esbuild', ['esbuild.mjs'], { env: { ESBUILD_WORKER_THREADS: '1' } }),
  program('workerpool-processes', TASKS_AND('workerpool-processes.mjs')),
  program('jest-worker-processes', TASKS_AND('jest-worker-processes.mjs')),
  installed('pino@9.14.0', 'pino', ['pino.mjs']),
  installed('bree@9.2.4', 'bree', ['bree.mjs', 'bree-job.mjs']),
  installed('gatsby-worker@2.15.0', 'gatsby-worker', ['gatsby-worker.cjs', 'gatsby-worker-child.cjs']),
  installed('fastify@5.6.2 piscina@5.1.4', 'fastify', ['fastify.mjs', 'fastify-work.mjs', 'tasks.mjs']),
  installed('execa@9.6.0', 'execa', TASKS_AND('execa.mjs')),
  installed('worker-farm@1.7.0', 'worker-farm', ['worker-farm.cjs', 'worker-farm-child.cjs']),
  installed('fflate@0.8.2', 'fflate', ['fflate.mjs']),
  installed('make-synchronous@2.0.1', 'make-synchronous', ['make-synchronous.mjs']),
  installed('web-worker@1.5.0', 'web-worker', ['web-worker.mjs', 'web-worker-work.mjs', 'tasks.mjs']),
  installed('express@5.3.0 workerpool@10.0.3', 'express', ['express.mjs', 'express-work.mjs']),
  installed('hono@4.13.19 @hono/node-server@2.1.9 threads@1.7.0', 'hono', ['hono.mjs', 'hono-work.mjs']),
  installed('koa@3.3.0 tinypool@2.2.0', 'koa', ['koa.mjs', 'fastify-work.mjs', 'tasks.mjs']),
  installed('sharp@0.34.5', 'sharp', ['sharp.mjs']),
  installed('sql.js@1.14.0', 'sqljs', ['sqljs.mjs']),
  installed('pdfjs-dist@5.4.449', 'pdfjs', ['pdfjs.mjs']),
  installed('vscode-jsonrpc@8.2.1', 'language-server', ['language-server.mjs']),
  installed('sass-embedded@1.93.3', 'sass', ['sass.mjs']),
  installed('elkjs@0.11.0 web-worker@1.5.0', 'elk', ['elk.mjs']),
  installed('socket.io@4.8.1 socket.io-client@4.8.1 @socket.io/cluster-adapter@0.3.0', 'sockets', [
    'sockets.mjs',
  ]),
  installed('log4js@6.9.1', 'log4js', ['log4js.cjs'], { isUnordered: true }),
  installed('rate-limiter-flexible@8.3.0', 'limits', ['limits.mjs']),
  installed('worker-nodes@2.7.0', 'worker-nodes', ['worker-nodes.cjs', 'worker-nodes-work.cjs']),
];

// Programs of Bun and Deno, and pages. Each thread of them imports `counter.js` first.

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
