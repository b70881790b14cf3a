/** The other end of messages: see `answerGuest`. */
import { processProbe } from '../../../engines/probe/process-probe.ts';
import { runPeer } from '../../answer-guest.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

runPeer(runningPlatform(), processProbe());
