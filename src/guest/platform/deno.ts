import type { Platform } from './common/platform.ts';
import { spawnWebWorker, webParentEndpoint, webPortEndpoint } from './common/web.ts';
import { freshQueryUrl } from './process/module-loader.ts';
import { processPlatform } from './process/process-platform.ts';

/** With web workers and ports, as programs for Deno use them. */
export const deno: Platform = {
  ...processPlatform(freshQueryUrl),
  spawnWorker: spawnWebWorker,
  spawnChild: null,
  parentEndpoint: webParentEndpoint,
  portEndpoint: webPortEndpoint,
  // Deno's receiveMessageOnPort walks the received value property by property in search of ports
  // (patchMessagePortIfFound, ext/node/polyfills/worker_threads.ts): 20 ms for 300 kB that an event brings in 0.1 ms.
  receiveOnPort: null,
  postingChangesValues: false,
  mayBlock: true,
  watchGc: null,
  // Deno cannot be asked to collect garbage at run time.
  collectGarbage: () => undefined,
  async createProfiler() {
    const { InspectorProfiler } = await import('./profilers/inspector.ts');
    return new InspectorProfiler();
  },
};
