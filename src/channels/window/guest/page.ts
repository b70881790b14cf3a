/** A page and a frame of it: `postMessage` of the other window. */
import { type Endpoint, type Peer, peerAt } from '../../../guest/platform/common/platform.ts';
import { filteredEndpoint } from '../../../guest/platform/common/web.ts';

// Taken before user code loads.
const { origin } = location;
const createElement = globalThis.document?.createElement.bind(document);

export function windowEndpoint(other: Window): Endpoint {
  const postMessage = (message: unknown, transfer?: Transferable[]) =>
    other.postMessage(message, origin, transfer);
  return filteredEndpoint(globalThis, { postMessage }, ({ source }) => source === other);
}

/** A window does not keep what is posted to it before it listens: its `load` event comes after its module has run. */
async function spawnFrame(address: string): Promise<Peer> {
  const frame = createElement('iframe');
  frame.hidden = true;
  const loaded = new Promise((resolve) => {
    frame.onload = resolve;
  });
  frame.src = address;
  document.body.append(frame);
  await loaded;
  const endpoint = windowEndpoint(frame.contentWindow as Window);
  // It ends with its page only.
  return peerAt(endpoint, () => {
    endpoint.close();
    frame.remove();
  });
}

export const frames = (address: string) => ({ window: () => spawnFrame(address) });
