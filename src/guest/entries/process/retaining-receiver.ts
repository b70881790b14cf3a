/** The other end of messages whose memory is measured. */
import { beginPeer } from '../../begin-peer.ts';
import { retainMessages } from '../../measure/memory/retaining-receiver.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

beginPeer(runningPlatform(), retainMessages);
