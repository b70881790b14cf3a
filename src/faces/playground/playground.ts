import { pageProbe } from '../../engines/probe/page-probe.ts';
import { runGuest, runPeer } from '../../guest/guest-and-peer.ts';
import type { PageParts } from '../../guest/platform/common/parts.ts';
import { embeddedPage } from '../../guest/platform/page/page-platform.ts';

/**
 * The only script of the static page: for the page itself, its guests and their peers. A worker finds its role by the
 * fragment of its address, and gets the parts of the page with its first message. It is listening by the next message.
 */
function begin({ data }: MessageEvent<PageParts>): void {
  const platform = embeddedPage(data);
  if (location.hash === '#main') runGuest(platform, pageProbe(), null);
  else runPeer(platform, pageProbe());
}

// Workers do not have a document and do not need reporters.
if ('document' in globalThis) void import('./start.ts').then(({ start }) => start());
else addEventListener('message', begin, { once: true });
