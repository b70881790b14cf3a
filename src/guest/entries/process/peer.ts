/** The other end of messages: see `answerGuest`. */
import { processProbe } from '../../../engines/probe/process-probe.ts';
import { runPeer } from '../../guest-and-peer.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

runPeer(runningPlatform(), processProbe());
