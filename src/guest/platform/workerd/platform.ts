import { ToolError } from '../../../model/errors.ts';
import { bindings } from '../../../probe/workerd/bindings.ts';
import type { Platform } from '../common/platform.ts';
import { pagePlatform } from '../page/page-platform.ts';
import { servedSources } from '../page/sources.ts';
import { calledEndpoint, echoed, spawnService } from './services.ts';

// Taken before user code loads.
const later = setTimeout;
const root = new URL(bindings.ROOT);

const UNSEEN = 'a worker of workerd has no profiler, and sees neither its process nor another thread';

/** A worker of workerd, and the service at the other end of its calls. It starts no threads. */
export const workerdPlatform: Platform = {
  ...pagePlatform,
  peers: { rpc: spawnService },
  echoed,
  parentEndpoint: calledEndpoint,
  mayBlock: false,
  sources: servedSources({
    servedUrl: (path) => new URL(path, root).href,
    // What is imported comes by the host's fallback service for modules (runtimes/workerd/module-server.ts).
    moduleUrl: (path) => root.pathname + path,
    // A worker cannot wait for an answer: the host looks up the place in the bundle (runtimes/workerd/located.ts).
    positionOf(module, at) {
      const [line = 1, column = 1] = at.split(':').map(Number);
      return { file: module, line, column };
    },
    importText: (address) => import(address),
  }),
  // workerd waits for no minimum, as browsers do.
  turnOfEventLoop: () =>
    new Promise((resolve) => {
      later(resolve, 0);
    }),
  refused: { profile: UNSEEN, memory: UNSEEN },
  markPeakMemory: () => {
    throw new ToolError('measure-failed', { detail: UNSEEN });
  },
};
