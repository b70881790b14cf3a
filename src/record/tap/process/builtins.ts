/** Modules whose exports are replaced: the objects themselves, which an `import` would hide. */
export const workerThreads = require('node:worker_threads') as typeof import('node:worker_threads');
export const module = require('node:module') as typeof import('node:module');
export const childProcess = require('node:child_process') as typeof import('node:child_process');

/** The class of web workers, which the types of Node do not have. */
export const { Worker: WebWorker } = globalThis as { Worker?: { prototype: object } };
