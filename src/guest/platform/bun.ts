import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { receiveMessageOnPort } from 'node:worker_threads';
import { ipcParentEndpoint, spawnChild } from './child-process.ts';
import { markPeakMemory } from './peak-memory.ts';
import type { Platform } from './platform.ts';
import { BroadcastEndpoint, spawnWebWorker, webParentEndpoint, webPortEndpoint } from './web.ts';

interface BunGlobal {
  Bun: { gc(sync: boolean): void };
}

/** Web workers and ports: `node:worker_threads` of Bun is a layer of JavaScript on top of them. */
export const bun: Platform = {
  spawnWorker: spawnWebWorker,
  spawnChild,
  parentEndpoint: () => ipcParentEndpoint() ?? webParentEndpoint(),
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: (name) => new BroadcastEndpoint(name),
  receiveOnPort: receiveMessageOnPort as unknown as Platform['receiveOnPort'],
  postingChangesValues: true,
  watchGc: null,
  collectGarbage: () => (globalThis as unknown as BunGlobal).Bun.gc(true),
  markPeakMemory,
  // Bun ignores the query of a file URL, and evaluates a module again when its entry in require.cache is gone.
  freshModuleUrl(file) {
    delete createRequire(file).cache[file];
    return pathToFileURL(file).href;
  },
  async createProfiler() {
    const { InspectorProfiler } = await import('./profilers/inspector.ts');
    // JavaScriptCore samples the stack of the interpreter and finds nothing while no JavaScript runs.
    return new InspectorProfiler({
      what: 'deserializing and garbage collection',
      why: "Bun's profiler samples JavaScript only",
    });
  },
};
