/** Modules of Node whose exports are replaced: the objects themselves, which an `import` would hide. */
export const workerThreads = require('node:worker_threads') as typeof import('node:worker_threads');
export const module = require('node:module') as typeof import('node:module');
export const childProcess = require('node:child_process') as typeof import('node:child_process');

/** `require.cache` shows what the program loaded: not the recorder. */
export function hideModules(preload: string): void {
  const { _cache: cache } = module as typeof module & { _cache: Record<string, unknown> };
  delete cache[preload];
  delete cache[__filename];
}
