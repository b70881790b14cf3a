/** The other end of measured and profiled messages. */
import { beginPeer } from '../../begin-peer.ts';
import { answerVariants } from '../../measure/peer/echo.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

beginPeer(runningPlatform(), answerVariants);
