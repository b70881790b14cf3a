/** The other end of measured and profiled messages. */
import { pageProbe } from '../../../probe/page-probe.ts';
import { giveProbe } from '../../../probe/probe.ts';
import { beginPeer } from '../../begin-peer.ts';
import { acknowledgeMessages } from '../../channel/acknowledge.ts';
import { answerVariants } from '../../measure/peer/echo.ts';
import { servedPage } from '../../platform/page/platform.ts';

giveProbe(pageProbe());
beginPeer(servedPage, answerVariants);

// A service worker, which has no parent, is all of its extension's peers.
export { acknowledgeMessages, answerVariants };
