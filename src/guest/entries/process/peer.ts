/** The other end of measured and profiled messages. */
import { giveProbe } from '../../../probe/probe.ts';
import { processProbe } from '../../../probe/process-probe.ts';
import { beginPeer } from '../../begin-peer.ts';
import { answerVariants } from '../../measure/peer/echo.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

giveProbe(processProbe());
beginPeer(runningPlatform(), answerVariants);
