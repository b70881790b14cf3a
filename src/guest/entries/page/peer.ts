/** The other end of messages: see `answerGuest`. */
import { pageProbe } from '../../../probe/page-probe.ts';
import { giveProbe } from '../../../probe/probe.ts';
import { answerGuest } from '../../answer-guest.ts';
import { givePlatform } from '../../platform/common/platform.ts';
import { servedPage } from '../../platform/page/platform.ts';

givePlatform(servedPage);
giveProbe(pageProbe());
answerGuest(servedPage.parentEndpoint());

// A service worker does not have a parent: it serves as every peer of its extension.
export { answerGuest };
