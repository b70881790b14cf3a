/** The guest of a browser: a page that connects to the host that served it, or a worker of it that posts in its place. */

import { runningBrowser } from '../../../engines/probe/browser.ts';
import { pageProbe } from '../../../engines/probe/page-probe.ts';
import { runGuest } from '../../guest-and-peer.ts';
import { connectPage } from '../../link/page-link.ts';
import { servedPage, servedUrl } from '../../platform/page/platform.ts';

// Taken before user code can replace them. A worker has neither, and only the page of a visitor says anything.
const leave = location.replace?.bind(location);
const status = globalThis.document?.getElementById('status');

const END =
  'The connection has ended: clone-prof is done, was stopped, or has all browsers that it waited for. You can close this page.';

/** Set on the way to the next page: the host has closed the connection of this one, and is not done. */
let isLeaving = false;

const host = {
  runtime: runningBrowser(),
  connect(beforeRequest: () => void) {
    const connected = connectPage(new URL(servedUrl('')), beforeRequest);
    void connected.closed.then(() => {
      if (status && !isLeaving) status.textContent = END;
    });
    return connected;
  },
  // Makes room for the next guest of the same browser, which the host sends: a page in a different process.
  exit() {
    isLeaving = true;
    leave(servedUrl('next'));
  },
};

runGuest(servedPage, pageProbe(), 'document' in globalThis ? host : null);
