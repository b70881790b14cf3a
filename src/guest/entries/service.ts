/** The guest of workerd: a worker that connects to the host, and posts to the other service of its process, which has this code too. */

import { calledEndpoint, echoed, spawnService } from '../../channels/rpc/guest/workerd.ts';
import { bindings, runningWorkerd, workerdProbe } from '../../engines/probe/workerd/probe.ts';
import { runGuest, runPeer } from '../guest-and-peer.ts';
import { connectPage } from '../link/page-link.ts';
import type { Platform } from '../platform/common/platform.ts';
import { pagePlatform, servedSources } from '../platform/page/page-platform.ts';

// Taken before user code loads.
const later = setTimeout;
const root = new URL(bindings.ROOT);

const UNSEEN = 'a worker of workerd has no profiler, and sees neither its process nor another thread';

/** A worker of workerd, and the service at the other end of its calls. It starts no threads. */
const workerdPlatform: Platform = {
  ...pagePlatform,
  peers: { rpc: spawnService },
  echoed,
  parentEndpoint: calledEndpoint,
  mayBlock: false,
  sources: servedSources({
    servedUrl: (path) => new URL(path, root).href,
    // Imports come from the host's fallback service for modules (runtimes/driver.ts).
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

if (!('PEER' in bindings)) runPeer(workerdPlatform, workerdProbe());

/** The process ends with the promise: a worker works only during a request, and this is its only request. */
export function answerHost(root: string): Promise<unknown> {
  return new Promise<unknown>((exit) => {
    runGuest(workerdPlatform, workerdProbe(), {
      runtime: runningWorkerd(),
      connect(beforeRequest) {
        const connected = connectPage(new URL(root), beforeRequest);
        void connected.closed.then(exit);
        return connected;
      },
      exit: () => exit(null),
    });
  });
}
