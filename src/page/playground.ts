import { answerGuest } from '../guest/answer-guest.ts';
import { answerParent } from '../guest/answer-parent.ts';
// Evaluated here, before the user's code runs: it keeps a reference to the clock.
import '../guest/platform/common/clock.ts';
import type { PageParts } from '../guest/platform/common/parts.ts';
import { givePlatform } from '../guest/platform/common/platform.ts';
import { embeddedPage } from '../guest/platform/page/embedded-platform.ts';
import { pageProbe } from '../probe/page-probe.ts';
import { giveProbe } from '../probe/probe.ts';

/**
 * The only script of the static page: for the page itself, its guests and their peers. A worker finds its role by the
 * fragment of its address, and gets the parts of the page with its first message. It is listening by the next message.
 */
function begin({ data }: MessageEvent<PageParts>): void {
  const platform = embeddedPage(data);
  givePlatform(platform);
  giveProbe(pageProbe());
  const parent = platform.parentEndpoint();
  if (location.hash === '#main') answerParent(parent);
  else answerGuest(parent);
}

// Workers do not have a document and do not need reporters.
if ('document' in globalThis) void import('./start.ts').then(({ start }) => start());
else addEventListener('message', begin, { once: true });
