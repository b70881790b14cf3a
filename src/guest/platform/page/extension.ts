/** Pages of an extension of Chromium, which message each other through `chrome.runtime`. */
import { ToolError } from '../../../model/errors.ts';
import type { ExtensionChannel } from '../../../model/names.ts';
import { type Endpoint, noop, type Peer, type PeerEntry, peerAt } from '../common/platform.ts';

type Listener<T> = (value: T) => void;
interface ListenedTo<T> {
  addListener(listener: Listener<T>): void;
  removeListener(listener: Listener<T>): void;
}
/** Of `chrome.runtime.connect`. */
interface RuntimePort {
  readonly name: string;
  readonly onMessage: ListenedTo<unknown>;
  readonly onDisconnect: ListenedTo<RuntimePort>;
  postMessage(message: unknown): void;
  disconnect(): void;
}
interface ExtensionRuntime {
  readonly id?: string;
  readonly onConnect: ListenedTo<RuntimePort>;
  connect(options: { name: string }): RuntimePort;
  getURL(path: string): string;
}

// Taken before user code loads.
const { chrome } = globalThis as { chrome?: { runtime?: ExtensionRuntime } };
const runtime = chrome?.runtime?.id === undefined ? null : (chrome.runtime ?? null);
const createElement = globalThis.document?.createElement.bind(document);

/** Nothing can be transferred. */
class RuntimeEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #port: RuntimePort;

  constructor(port: RuntimePort) {
    this.#port = port;
    port.onMessage.addListener((data) => this.onMessage(data));
  }

  post(message: unknown): void {
    this.#port.postMessage(message);
  }

  postWith(message: unknown): void {
    this.post(message);
  }

  close(): void {
    this.#port.disconnect();
  }
}

const nextOn = <T>(event: ListenedTo<T>): Promise<T> =>
  new Promise((resolve) => {
    const listener = (value: T): void => {
      event.removeListener(listener);
      resolve(value);
    };
    event.addListener(listener);
  });

/** What arrives as a Map was cloned; JSON writes `{}`. A Chromium that does not know the key of the manifest writes JSON. */
const PROBE = new Map();

const OTHER: Readonly<Record<ExtensionChannel, string>> = {
  extension: 'its messages are cloned in this extension',
  'extension-clone':
    'its messages are JSON in this extension: Chromium clones them from 148 on, where the manifest says so',
};

/** The page of an entry, in a frame: each port is between two pages, which have a secret of their own. */
async function spawn(
  { connect, getURL }: ExtensionRuntime,
  entry: PeerEntry,
  channel: ExtensionChannel,
): Promise<Peer> {
  const name = crypto.randomUUID();
  const frame = createElement('iframe');
  frame.hidden = true;
  const loaded = new Promise((resolve) => {
    frame.onload = resolve;
  });
  frame.src = `${getURL(`${entry}.html`)}#${name}`;
  document.body.append(frame);
  await loaded;
  const port = connect({ name });
  const isCloned = nextOn(port.onMessage);
  port.postMessage(PROBE);
  const endpoint = new RuntimeEndpoint(port);
  const peer = peerAt(endpoint, () => {
    endpoint.close();
    frame.remove();
  });
  port.onDisconnect.addListener(() => peer.onExit('the port between the pages was closed'));
  if ((await isCloned) === (channel === 'extension-clone')) return peer;
  await peer.end();
  throw new ToolError('channel-unsupported', { value: channel, detail: OTHER[channel] });
}

const pagesOf = (channel: ExtensionChannel) => (entry: PeerEntry) => spawn(runtime!, entry, channel);

/** A page that is of no extension has none. */
export const extensionPages = runtime && {
  extension: pagesOf('extension'),
  'extension-clone': pagesOf('extension-clone'),
};

/** The end of a frame, which its page connects to once the frame has loaded. */
function parentEndpoint({ onConnect }: ExtensionRuntime): Endpoint {
  const name = location.hash.slice(1);
  const endpoint: Endpoint = {
    ...{ transfers: false, onMessage: noop, onMessageError: noop, close: noop, post: noop, postWith: noop },
  };
  const connected = (port: RuntimePort): void => {
    if (port.name !== name) {
      // Of another frame: each page of the extension is asked.
      port.disconnect();
      return;
    }
    onConnect.removeListener(connected);
    void nextOn(port.onMessage).then((probe) => {
      port.onMessage.addListener((data) => endpoint.onMessage(data));
      port.postMessage(probe instanceof Map);
    });
    endpoint.post = (message) => port.postMessage(message);
    endpoint.postWith = endpoint.post;
    endpoint.close = () => port.disconnect();
  };
  onConnect.addListener(connected);
  return endpoint;
}

export const extensionParentEndpoint = runtime && (() => parentEndpoint(runtime));
