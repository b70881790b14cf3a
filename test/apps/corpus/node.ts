/** Programs of fixtures/apps that post by Node alone, and through packages of npm. */
import { type App, fixtures } from './app.ts';

/** @param files beside the first, which is run */
const program = (name: string, files: readonly string[], more: Partial<App> = {}): App => ({
  name,
  files: fixtures(...files),
  command: ['node', files[0]!],
  ...more,
});

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
  program('pino', ['pino.mjs'], { packages: ['pino@9.14.0'] }),
  program('bree', ['bree.mjs', 'bree-job.mjs'], { packages: ['bree@9.2.4'] }),
  program('gatsby-worker', ['gatsby-worker.cjs', 'gatsby-worker-child.cjs'], {
    packages: ['gatsby-worker@2.15.0'],
  }),
  program('fastify', ['fastify.mjs', 'fastify-work.mjs', 'tasks.mjs'], {
    packages: ['fastify@5.6.2', 'piscina@5.1.4'],
  }),
  program('execa', TASKS_AND('execa.mjs'), { packages: ['execa@9.6.0'] }),
  program('worker-farm', ['worker-farm.cjs', 'worker-farm-child.cjs'], { packages: ['worker-farm@1.7.0'] }),
  program('fflate', ['fflate.mjs'], { packages: ['fflate@0.8.2'] }),
  program('make-synchronous', ['make-synchronous.mjs'], { packages: ['make-synchronous@2.0.1'] }),
  program('web-worker', ['web-worker.mjs', 'web-worker-work.mjs', 'tasks.mjs'], {
    packages: ['web-worker@1.5.0'],
  }),
  program('express', ['express.mjs', 'express-work.mjs'], {
    packages: ['express@5.3.0', 'workerpool@10.0.3'],
  }),
  program('hono', ['hono.mjs', 'hono-work.mjs'], {
    packages: ['hono@4.13.19', '@hono/node-server@2.1.9', 'threads@1.7.0'],
  }),
  program('koa', ['koa.mjs', 'fastify-work.mjs', 'tasks.mjs'], {
    packages: ['koa@3.3.0', 'tinypool@2.2.0'],
  }),
  program('sharp', ['sharp.mjs'], { packages: ['sharp@0.34.5'] }),
  program('sqljs', ['sqljs.mjs'], { packages: ['sql.js@1.14.0'] }),
  program('pdfjs', ['pdfjs.mjs'], { packages: ['pdfjs-dist@5.4.449'] }),
  program('language-server', ['language-server.mjs'], { packages: ['vscode-jsonrpc@8.2.1'] }),
  program('sass', ['sass.mjs'], { packages: ['sass-embedded@1.93.3'] }),
  program('elk', ['elk.mjs'], { packages: ['elkjs@0.11.0', 'web-worker@1.5.0'] }),
  program('sockets', ['sockets.mjs'], {
    packages: ['socket.io@4.8.1', 'socket.io-client@4.8.1', '@socket.io/cluster-adapter@0.3.0'],
  }),
  program('log4js', ['log4js.cjs'], { packages: ['log4js@6.9.1'], isUnordered: true }),
  program('limits', ['limits.mjs'], { packages: ['rate-limiter-flexible@8.3.0'] }),
  program('worker-nodes', ['worker-nodes.cjs', 'worker-nodes-work.cjs'], {
    packages: ['worker-nodes@2.7.0'],
  }),
];
