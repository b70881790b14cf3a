/** Programs of fixtures/apps that post by Node alone, and through packages of npm. */
import { type App, fixtures } from './app.ts';

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
