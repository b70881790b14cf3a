/** The other end of messages: see `answerGuest`. The service worker of an extension does not have a parent, but ports. */
import { acceptPorts } from '../../../channels/extension/guest/page.ts';
import { pageProbe } from '../../../engines/probe/page-probe.ts';
import { answerGuest, runPeer } from '../../guest-and-peer.ts';
import { servedPage } from '../../platform/page/platform.ts';

runPeer(servedPage, pageProbe());
acceptPorts(answerGuest);
