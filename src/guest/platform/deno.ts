import { compareVersions } from '../../core/versions.ts';
import { ToolError } from '../../model/errors.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import type { Platform } from './common/platform.ts';
import { spawnWebWorker, webParentEndpoint, webPortEndpoint } from './common/web.ts';
import { ipcParentEndpoint, spawnChild } from './process/child-process.ts';
import { freshQueryUrl } from './process/module-loader.ts';
import { nodeWorkerParent, spawnNodeWorker } from './process/node-worker.ts';
import { processPlatform } from './process/process-platform.ts';

/** With web workers and ports, as programs for Deno use them; those of Node beside them. */
export const deno: Platform = {
  ...processPlatform(freshQueryUrl),
  spawnWorker: spawnWebWorker,
  spawnNodeWorker,
  spawnChild: (entry, serialization) => {
    if (serialization === 'advanced' && compareVersions(runningRuntime().version, '2.6.0') < 0)
      throw new ToolError('channel-unsupported', {
        value: 'ipc-advanced',
        detail: 'Deno has it from 2.6 on',
      });
    return spawnChild(entry, serialization);
  },
  parentEndpoint: () => ipcParentEndpoint() ?? nodeWorkerParent() ?? webParentEndpoint(),
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
