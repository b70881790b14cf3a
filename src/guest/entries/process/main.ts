/**
 * The guest of a process runtime: connects to the host over a socket and answers its requests. A runtime whose guests
 * are not processes has a separate entry, with a different Link.
 */
import { giveProbe } from '../../../probe/probe.ts';
import { processProbe } from '../../../probe/process-probe.ts';
import { runningRuntime } from '../../../probe/running-runtime.ts';
import { answerParent } from '../../answer-parent.ts';
import { connectToHost, exitGuest } from '../../link/socket-link.ts';
// Evaluated here, before user code: it takes the clock.
import '../../platform/common/clock.ts';
import { givePlatform } from '../../platform/common/platform.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';
import { answerRequests } from '../../requests.ts';
import { restoreBuiltIns } from '../../user-code/built-ins.ts';
import { surviveUserCode } from '../../user-code/user-code.ts';

const platform = runningPlatform();
givePlatform(platform);
giveProbe(processProbe());
surviveUserCode(platform);
if (platform.isSender) answerParent(platform.parentEndpoint());
else {
  const { link, token } = connectToHost(restoreBuiltIns);
  answerRequests(link, exitGuest);
  link.send({ type: 'hello', token, runtime: runningRuntime() });
}
