/** The guest of workerd: a worker that connects to the host, and posts to the other service of its process, which has this code too. */

import { bindings } from '../../engines/probe/workerd/bindings.ts';
import { runningWorkerd, workerdProbe } from '../../engines/probe/workerd/probe.ts';
import { runPeer } from '../answer-guest.ts';
import { connectPage } from '../link/page-link.ts';
import { noop } from '../platform/common/platform.ts';
import { workerdPlatform } from '../platform/workerd/platform.ts';
import { runGuest } from '../run-guest.ts';

if (!('PEER' in bindings)) runPeer(workerdPlatform, workerdProbe());

/** The process ends with the promise: a worker works only during a request, and this is its only request. */
export function answerHost(root: string): Promise<unknown> {
  return new Promise<unknown>((exit) => {
    runGuest(workerdPlatform, workerdProbe(), {
      runtime: runningWorkerd(),
      connect(beforeRequest) {
        const connected = connectPage(new URL(root), beforeRequest, async () => noop());
        void connected.closed.then(exit);
        return connected;
      },
      exit: () => exit(null),
    });
  });
}
