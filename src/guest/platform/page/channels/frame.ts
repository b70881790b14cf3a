import { type Endpoint, type Peer, type PeerEntry, peerAt } from '../../common/platform.ts';
import { type PostTarget, WebEndpoint } from '../../common/web.ts';
import { servedUrl } from '../served.ts';

// Taken before user code loads.
const { origin } = location;
const createElement = globalThis.document?.createElement.bind(document);

/** Messages to and from another window of this origin. What other windows post here belongs to others. */
export function windowEndpoint(other: Window): Endpoint {
  const target: PostTarget = {
    postMessage: (message, transfer) => other.postMessage(message, origin, transfer),
    onmessage: null,
    onmessageerror: null,
  };
  const endpoint = new WebEndpoint(target, () => {
    removeEventListener('message', arrived);
    removeEventListener('messageerror', failed);
  });
  function arrived(event: MessageEvent): void {
    if (event.source === other) target.onmessage?.(event);
  }
  function failed(event: MessageEvent): void {
    if (event.source === other) target.onmessageerror?.(event);
  }
  addEventListener('message', arrived);
  addEventListener('messageerror', failed);
  return endpoint;
}

/** A window does not keep what is posted to it before it listens: its `load` event comes after its module has run. */
async function spawnFrame(entry: PeerEntry): Promise<Peer> {
  const frame = createElement('iframe');
  frame.hidden = true;
  const loaded = new Promise((resolve) => {
    frame.onload = resolve;
  });
  frame.src = servedUrl(`frame/${entry}`);
  document.body.append(frame);
  await loaded;
  const endpoint = windowEndpoint(frame.contentWindow as Window);
  // It ends with its page only.
  return peerAt(endpoint, () => {
    endpoint.close();
    frame.remove();
  });
}

export const frames = { window: spawnFrame };
