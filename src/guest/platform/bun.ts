import { type MessagePort as NodePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Platform } from './common/platform.ts';
import { spawnWebWorker, webParentEndpoint, webPortEndpoint } from './common/web.ts';
import { ipcParentEndpoint, spawnChild } from './process/child-process.ts';
import { uncachedUrl } from './process/module-loader.ts';
import { processPlatform } from './process/process-platform.ts';

interface BunGlobal {
  Bun: { gc(sync: boolean): void };
}

/** With web workers and ports: Bun implements `node:worker_threads` in JavaScript on top of them. */
export const bun: Platform = {
  ...processPlatform(uncachedUrl),
  spawnWorker: spawnWebWorker,
  spawnNodeWorker: null,
  spawnChild,
  parentEndpoint: () => ipcParentEndpoint() ?? webParentEndpoint(),
  portEndpoint: webPortEndpoint,
  receiveOnPort: (port) => receiveMessageOnPort(port as typeof port & NodePort),
  postingChangesValues: true,
  mayBlock: true,
  watchGc: null,
  collectGarbage: () => (globalThis as typeof globalThis & BunGlobal).Bun.gc(true),
  async createProfiler() {
    const { InspectorProfiler } = await import('./profilers/inspector.ts');
    // JavaScriptCore samples the stack of the interpreter and finds nothing while no JavaScript runs.
    return new InspectorProfiler({
      what: 'deserializing and garbage collection',
      why: "Bun's profiler samples JavaScript only",
    });
  },
};
