/** The guest of a browser: a page that connects to the host that served it, or a worker of it that posts in its place. */

import { showEnd, showView } from '../../../page/visitor/view.ts';
import { runningBrowser } from '../../../probe/browser.ts';
import { pageProbe } from '../../../probe/page-probe.ts';
import { giveProbe } from '../../../probe/probe.ts';
import { answerParent } from '../../answer-parent.ts';
import { connectPage } from '../../link/page-link.ts';
// Evaluated here, before user code: it takes the clock.
import '../../platform/common/clock.ts';
import { givePlatform } from '../../platform/common/platform.ts';
import { servedPage, servedUrl } from '../../platform/page/platform.ts';
import { answerRequests } from '../../requests.ts';
import { restoreBuiltIns } from '../../user-code/built-ins.ts';
import { surviveUserCode } from '../../user-code/user-code.ts';

// Taken before user code can replace it. A worker has none.
const leave = location.replace?.bind(location);

/**
 * Makes room for the next guest of the same browser, which the host sends: a page in a different process.
 *
 * @param root the folder that the host serves to this guest
 */
function leavePage(root: URL): void {
  leave(new URL('next', root));
}

function answerHost(): void {
  const root = new URL(servedUrl(''));
  const { link, token } = connectPage(root, restoreBuiltIns, showView);
  void link.closed.then(showEnd);
  answerRequests(link, () => leavePage(root));
  link.send({ type: 'hello', token, runtime: runningBrowser() });
}

givePlatform(servedPage);
giveProbe(pageProbe());
surviveUserCode(servedPage);
if ('document' in globalThis) answerHost();
else answerParent(servedPage.parentEndpoint());
