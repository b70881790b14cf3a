import { answerParent } from '../guest/answer-parent.ts';
import { beginPeer } from '../guest/begin-peer.ts';
import { acknowledgeMessages } from '../guest/channel/acknowledge.ts';
import { answerVariants } from '../guest/measure/peer/echo.ts';
// Evaluated here, before user code: it takes the clock.
import '../guest/platform/common/clock.ts';
import { type PageParts, setPageParts } from '../guest/platform/common/parts.ts';
import { embeddedPage } from '../guest/platform/page/embedded-platform.ts';
import { pageProbe } from '../probe/page-probe.ts';
import { giveProbe } from '../probe/probe.ts';

/**
 * The one script of the static page: that of the page, of its guests and of their peers. A worker finds its part by the
 * fragment of its address, and gets the parts of the page with its first message.
 */
const PARTS: Readonly<Record<string, () => void>> = {
  '#sender': () => beginPeer(embeddedPage, answerParent),
  '#peer': () => beginPeer(embeddedPage, answerVariants),
  '#acknowledging-receiver': () => beginPeer(embeddedPage, acknowledgeMessages),
};

function begin({ data }: MessageEvent<PageParts>): void {
  setPageParts(data);
  giveProbe(pageProbe());
  // It listens before the next message is delivered.
  PARTS[location.hash]?.();
}

// Workers have no document, and no need of reporters.
if ('document' in globalThis) void import('./start.ts').then(({ start }) => start());
else addEventListener('message', begin, { once: true });
