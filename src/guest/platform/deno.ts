import { freshQueryUrl } from './fresh-url.ts';
import { markPeakMemory } from './peak-memory.ts';
import type { Platform } from './platform.ts';
import { BroadcastEndpoint, spawnWebWorker, webParentEndpoint, webPortEndpoint } from './web.ts';

/** Web workers and ports, as programs for Deno use them. */
export const deno: Platform = {
  spawnWorker: spawnWebWorker,
  spawnChild: null,
  parentEndpoint: webParentEndpoint,
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: (name) => new BroadcastEndpoint(name),
  // Deno's receiveMessageOnPort walks the received value property by property in search of ports
  // (patchMessagePortIfFound, ext/node/polyfills/worker_threads.ts): 20 ms for 300 kB that an event brings in 0.1 ms.
  receiveOnPort: null,
  postingChangesValues: false,
  watchGc: null,
  // Deno offers no garbage collection at run time.
  collectGarbage: () => undefined,
  markPeakMemory,
  freshModuleUrl: freshQueryUrl,
  async createProfiler() {
    const { InspectorProfiler } = await import('./profilers/inspector.ts');
    return new InspectorProfiler();
  },
};
