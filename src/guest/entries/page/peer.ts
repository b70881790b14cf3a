/** The other end of messages: see `answerGuest`. */
import { pageProbe } from '../../../engines/probe/page-probe.ts';
import { answerGuest, runPeer } from '../../answer-guest.ts';
import { servedPage } from '../../platform/page/platform.ts';

runPeer(servedPage, pageProbe());

// A service worker does not have a parent: it serves as every peer of its extension.
export { answerGuest };
