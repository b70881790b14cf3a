/** The other end of messages whose memory is measured. */
import { processTypes } from '../../../probe/type-detection/process-types.ts';
import { giveTypes } from '../../../probe/type-detection/type-detection.ts';
import { beginPeer } from '../../begin-peer.ts';
import { retainMessages } from '../../measure/memory/retaining-receiver.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

// A module of the user's is tried here too.
giveTypes(processTypes);
beginPeer(runningPlatform(), retainMessages);
