/** The guest of workerd: a worker that connects to the host, and posts to the other service of its process, which has this code too. */

import { giveProbe } from '../../probe/probe.ts';
import { bindings } from '../../probe/workerd/bindings.ts';
import { runningWorkerd, workerdProbe } from '../../probe/workerd/probe.ts';
import { answerGuest } from '../answer-guest.ts';
import { connectPage } from '../link/page-link.ts';
// Evaluated here, before user code: it takes the clock.
import '../platform/common/clock.ts';
import { givePlatform, noop } from '../platform/common/platform.ts';
import { workerdPlatform } from '../platform/workerd/platform.ts';
import { answerRequests } from '../requests.ts';
import { restoreBuiltIns } from '../user-code/built-ins.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

givePlatform(workerdPlatform);
giveProbe(workerdProbe());
surviveUserCode(workerdPlatform);
if (!('PEER' in bindings)) answerGuest(workerdPlatform.parentEndpoint());

/** The process ends with the promise: a worker works only during a request, and this is its only request. */
export function answerHost(root: string): Promise<unknown> {
  const { link, token } = connectPage(new URL(root), restoreBuiltIns, async () => noop());
  const exited = new Promise<void>((exit) => answerRequests(link, exit));
  link.send({ type: 'hello', token, runtime: runningWorkerd() });
  return Promise.race([exited, link.closed]);
}
