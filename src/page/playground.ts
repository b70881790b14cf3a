import { answerGuest } from '../guest/answer-guest.ts';
import { answerParent } from '../guest/answer-parent.ts';
// Evaluated here, before user code: it takes the clock.
import '../guest/platform/common/clock.ts';
import { type PageParts, setPageParts } from '../guest/platform/common/parts.ts';
import { givePlatform } from '../guest/platform/current.ts';
import { embeddedPage } from '../guest/platform/page/embedded-platform.ts';
import { pageProbe } from '../probe/page-probe.ts';
import { giveProbe } from '../probe/probe.ts';

/**
 * The one script of the static page: that of the page, of its guests and of their peers. A worker finds its part by the
 * fragment of its address, and gets the parts of the page with its first message. It listens before the next is delivered.
 */
function begin({ data }: MessageEvent<PageParts>): void {
  setPageParts(data);
  givePlatform(embeddedPage);
  giveProbe(pageProbe());
  const parent = embeddedPage.parentEndpoint();
  if (location.hash === '#peer') answerGuest(parent);
  else answerParent(parent);
}

// Workers have no document, and no need of reporters.
if ('document' in globalThis) void import('./start.ts').then(({ start }) => start());
else addEventListener('message', begin, { once: true });
