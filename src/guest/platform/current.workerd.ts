import { ToolError } from '../../model/errors.ts';
import { openClone } from './common/clone.ts';
import type { Platform } from './common/platform.ts';
import { webBroadcastEndpoint, webPortEndpoint } from './common/web.ts';
import { sources } from './page/sources.ts';
import { calledEndpoint, echoed, spawnService } from './workerd/services.ts';

// Taken before user code loads.
const print = console.error.bind(console);

/** A worker of workerd, and the service at the other end of its calls. It starts no threads. */
const workerd: Platform = {
  peers: { rpc: spawnService },
  local: { 'structured-clone': openClone },
  echoed,
  parentEndpoint: calledEndpoint,
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: webBroadcastEndpoint,
  postingChangesValues: false,
  mayBlock: false,
  sources,
  collectGarbage: () => (globalThis as { gc?: () => void }).gc?.(),
  markPeakMemory: () => {
    throw new ToolError('measure-failed', { detail: 'a worker does not see the memory of its process' });
  },
  builtIns: [],
  onUncaught: (listener) => {
    addEventListener('error', ({ error }) => listener(error));
    addEventListener('unhandledrejection', ({ reason }) => listener(reason));
  },
  printError: (text) => print(text),
  writeFile: (file) => {
    throw new ToolError('output-unwritable', { file, detail: 'a worker writes no files' });
  },
};

export const currentPlatform = (): Platform => workerd;
