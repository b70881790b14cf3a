/** The other end of messages: see `answerGuest`. */
import { giveProbe } from '../../../probe/probe.ts';
import { processProbe } from '../../../probe/process-probe.ts';
import { answerGuest } from '../../answer-guest.ts';
// Evaluated here, before user code: it takes the clock.
import '../../platform/common/clock.ts';
import { givePlatform } from '../../platform/common/platform.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

const platform = runningPlatform();
givePlatform(platform);
giveProbe(processProbe());
answerGuest(platform.parentEndpoint());
