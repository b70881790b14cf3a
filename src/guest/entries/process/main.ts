/** The guest of a process runtime: connects to the host over a socket and answers its requests. */
import { runningRuntime } from '../../../engines/probe/process.ts';
import { processProbe } from '../../../engines/probe/process-probe.ts';
import { runGuest } from '../../guest-and-peer.ts';
import { connectToHost, exitGuest } from '../../link/process-link.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

const platform = runningPlatform();
const host = { runtime: runningRuntime(), connect: connectToHost, exit: exitGuest };
runGuest(platform, processProbe(), platform.isSender ? null : host);
