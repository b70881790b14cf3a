/** The guest of a browser: a page that connects to the host that served it, or a worker of it that posts in its place. */

import { runningBrowser } from '../../../engines/probe/browser.ts';
import { pageProbe } from '../../../engines/probe/page-probe.ts';
import { showEnd, showView } from '../../../faces/visitor/view.ts';
import { connectPage } from '../../link/page-link.ts';
import { servedPage, servedUrl } from '../../platform/page/platform.ts';
import { runGuest } from '../../run-guest.ts';

// Taken before user code can replace it. A worker has none.
const leave = location.replace?.bind(location);

const host = {
  runtime: runningBrowser(),
  connect(beforeRequest: () => void) {
    const connected = connectPage(new URL(servedUrl('')), beforeRequest, showView);
    void connected.closed.then(showEnd);
    return connected;
  },
  // Makes room for the next guest of the same browser, which the host sends: a page in a different process.
  exit: () => leave(servedUrl('next')),
};

runGuest(servedPage, pageProbe(), 'document' in globalThis ? host : null);
