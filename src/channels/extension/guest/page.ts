/** A page of an extension of Chromium, and its service worker: they message each other through `chrome.runtime`. */

import { copyingEndpoint, type Endpoint, peerAt } from '../../../guest/platform/common/platform.ts';
import { ToolError } from '../../../model/errors.ts';
import type { ExtensionChannel } from '../../../model/names.ts';

type Listener<T> = (value: T) => void;
interface ListenedTo<T> {
  addListener(listener: Listener<T>): void;
  removeListener(listener: Listener<T>): void;
}
interface RuntimePort {
  readonly onMessage: ListenedTo<unknown>;
  readonly onDisconnect: ListenedTo<RuntimePort>;
  postMessage(message: unknown): void;
  disconnect(): void;
}
interface ExtensionRuntime {
  readonly id?: string;
  readonly onConnect: ListenedTo<RuntimePort>;
  connect(): RuntimePort;
}

// Taken before user code loads.
const { chrome } = globalThis as { chrome?: { runtime?: ExtensionRuntime } };
const runtime = chrome?.runtime?.id === undefined ? null : (chrome.runtime ?? null);

/** True in its service worker: workers of the extension's pages do not have this API. */
export const isOfExtension = runtime !== null && !('document' in globalThis);

function runtimeEndpoint(port: RuntimePort): Endpoint {
  const endpoint = copyingEndpoint(
    (message) => port.postMessage(message),
    () => port.disconnect(),
  );
  port.onMessage.addListener((data) => endpoint.onMessage(data));
  return endpoint;
}

const nextOn = <T>(event: ListenedTo<T>): Promise<T> =>
  new Promise((resolve) => {
    const listener = (value: T): void => {
      event.removeListener(listener);
      resolve(value);
    };
    event.addListener(listener);
  });

/** A Map that arrives was cloned; JSON writes `{}`. A Chromium that does not know the manifest's key writes JSON. */
const PROBE = new Map();

const OTHER: Readonly<Record<ExtensionChannel, string>> = {
  extension: 'its messages are cloned in this extension',
  'extension-clone':
    'its messages are JSON in this extension: Chromium clones them from 148 on, where the manifest says so',
};

const ENDED = 'the service worker of the extension ended';

/** A port to the service worker, which is a peer from then on. */
async function spawn({ connect }: ExtensionRuntime, channel: ExtensionChannel) {
  const port = connect();
  const isCloned = nextOn(port.onMessage);
  const ended = nextOn(port.onDisconnect);
  port.postMessage(PROBE);
  const endpoint = runtimeEndpoint(port);
  const peer = peerAt(endpoint, () => endpoint.close());
  void ended.then(() => peer.exited(ENDED));
  const seen = await Promise.race([isCloned, ended.then(() => null)]);
  if (seen === null) throw new ToolError('measure-failed', { detail: ENDED });
  if (seen === (channel === 'extension-clone')) return peer;
  await peer.end();
  throw new ToolError('channel-unsupported', { value: channel, detail: OTHER[channel] });
}

export const extensionPeers = runtime && {
  extension: () => spawn(runtime, 'extension'),
  'extension-clone': () => spawn(runtime, 'extension-clone'),
};

/** In the service worker alone: begins with each port that the page opens, once its kind of messages is known. */
export function acceptPorts(begin: (endpoint: Endpoint) => void): void {
  if (isOfExtension)
    runtime?.onConnect.addListener((port) => {
      void nextOn(port.onMessage).then((probe) => {
        begin(runtimeEndpoint(port));
        port.postMessage(probe instanceof Map);
      });
    });
}
