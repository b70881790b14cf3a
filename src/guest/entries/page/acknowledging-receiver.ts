/** The other end of a value that may be refused. */
import { beginPeer } from '../../begin-peer.ts';
import { acknowledgeMessages } from '../../channel/acknowledge.ts';
import { servedPage } from '../../platform/page/platform.ts';

beginPeer(servedPage, acknowledgeMessages);
