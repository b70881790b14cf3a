import { compareVersions } from '../../core/versions.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel } from '../../model/names.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import { messageOf } from '../user-code/thrown.ts';
import type { Platform } from './common/platform.ts';
import { spawnWebWorker, webParentEndpoint, webPortEndpoint } from './common/web.ts';
import { ipcParentEndpoint, spawnChild } from './process/child-process.ts';
import { freshQueryUrl } from './process/module-loader.ts';
import { nodeWorkerParent, spawnNodeWorker } from './process/node-worker.ts';
import { processPlatform } from './process/process-platform.ts';

/**
 * The process ends where reading a value for JSON text throws: a cycle, a getter, `toJSON` (seen on 2.6 to 2.9.6). What Deno
 * refuses by kind, such as a bigint, ends nothing, and is not asked for either.
 */
function endsProcess(channel: Channel, value: unknown): string | null {
  if (channel !== 'ipc-json') return null;
  try {
    JSON.stringify(value);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

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
  endsProcess,
  watchGc: null,
  // Deno cannot be asked to collect garbage at run time.
  collectGarbage: () => undefined,
  async createProfiler() {
    const { InspectorProfiler } = await import('./profilers/inspector.ts');
    return new InspectorProfiler();
  },
};
