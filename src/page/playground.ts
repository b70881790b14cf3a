import { type PageParts, setPageParts } from '../guest/platform/common/parts.ts';

/**
 * The one script of the static page: that of the page, of its guests and of their peers. A worker finds its part by the
 * fragment of its address, and gets the parts of the page with its first message.
 */
const PARTS: Readonly<Record<string, () => Promise<unknown>>> = {
  '#sender': () => import('../guest/entries/sender.ts'),
  '#peer': () => import('../guest/entries/peer.ts'),
  '#acknowledging-receiver': () => import('../guest/entries/acknowledging-receiver.ts'),
};

function begin({ data }: MessageEvent<PageParts>): void {
  setPageParts(data);
  // It listens before the next message is delivered.
  void PARTS[location.hash]?.();
}

if ('document' in globalThis) void import('./start.ts').then(({ start }) => start());
else addEventListener('message', begin, { once: true });
