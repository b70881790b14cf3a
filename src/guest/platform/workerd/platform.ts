import { calledEndpoint, echoed, spawnService } from '../../../channels/rpc/guest/workerd.ts';
import { bindings } from '../../../engines/probe/workerd/bindings.ts';
import type { Platform } from '../common/platform.ts';
import { pagePlatform } from '../page/page-platform.ts';
import { servedSources } from '../page/sources.ts';

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
    // Imports come from the host's fallback service for modules (runtimes/workerd/driver.ts).
    moduleUrl: (path) => root.pathname + path,
    importText: (address) => import(address),
  }),
  // workerd waits for no minimum, as browsers do.
  turnOfEventLoop: () =>
    new Promise((resolve) => {
      later(resolve, 0);
    }),
  refused: { profile: UNSEEN, memory: UNSEEN },
};
