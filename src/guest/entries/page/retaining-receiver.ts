/** The other end of messages whose memory is measured. */
import { guestPageTypes } from '../../../probe/type-detection/page-types.ts';
import { giveTypes } from '../../../probe/type-detection/type-detection.ts';
import { beginPeer } from '../../begin-peer.ts';
import { retainMessages } from '../../measure/memory/retaining-receiver.ts';
import { servedPage } from '../../platform/page/platform.ts';

// A module of the user's is tried here too.
giveTypes(guestPageTypes());
beginPeer(servedPage, retainMessages);
