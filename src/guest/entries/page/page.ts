/** The guest of a browser: a page that connects to the host that served it, or a worker of it that posts in its place. */
import { showEnd, showView } from '../../../page/visitor/view.ts';
import { runningBrowser } from '../../../probe/browser.ts';
import { pageProbe } from '../../../probe/page-probe.ts';
import { giveProbe } from '../../../probe/probe.ts';
import { answerParent } from '../../answer-parent.ts';
import { leavePage } from '../../link/leave-page.ts';
import { connectPage } from '../../link/page-link.ts';
// Evaluated here, before user code: it takes the clock.
import '../../platform/common/clock.ts';
import { givePlatform } from '../../platform/current.ts';
import { servedPage } from '../../platform/page/platform.ts';
import { servedUrl } from '../../platform/page/served.ts';
import { answerRequests } from '../../requests.ts';
import { restoreBuiltIns } from '../../user-code/built-ins.ts';
import { surviveUserCode } from '../../user-code/user-code.ts';

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
