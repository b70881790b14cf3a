/** A page and a service worker that it registers: `postMessage` of the worker there, of its client back. */

import { type Endpoint, noop, type PeerEntry, peerAt } from '../../../guest/platform/common/platform.ts';
import { filteredEndpoint } from '../../../guest/platform/common/web.ts';
import { entryUrl } from '../../../guest/platform/common/web-worker.ts';
import { ToolError } from '../../../model/errors.ts';

interface WorkerScope extends EventTarget {
  readonly registration?: ServiceWorkerRegistration;
}
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

// Taken before user code loads. Pages of the network that come by http have neither.
const { serviceWorker: container, locks } = (globalThis.navigator ?? {}) as Partial<Navigator>;
const scope = globalThis as WorkerScope;

/** Such a worker imports nothing after its start, and cannot wait for an answer. */
export const isServiceWorker = 'ServiceWorkerGlobalScope' in globalThis;

const unsupported = (detail: string): ToolError =>
  new ToolError('channel-unsupported', { value: 'service-worker', detail });

/** Each has its own scope, and so its own worker. @throws ToolError 'channel-unsupported' */
async function register(container: ServiceWorkerContainer, entry: PeerEntry) {
  const script = entryUrl(entry);
  const own = new URL(`${crypto.getRandomValues(new Uint32Array(2)).join('-')}/`, script);
  try {
    return await container.register(script, { type: 'module', scope: own.href });
  } catch (error) {
    throw unsupported(`the browser registers no service worker here: ${error}`);
  }
}

const activated = (worker: ServiceWorker): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === 'activated') resolve();
      else if (worker.state === 'redundant') reject(unsupported('the service worker could not be installed'));
    };
    worker.onstatechange = look;
    look();
  });

async function spawn(container: ServiceWorkerContainer, entry: PeerEntry) {
  const registration = await register(container, entry);
  const { installing, waiting, active } = registration;
  const worker = installing ?? waiting ?? active!;
  await activated(worker);
  const endpoint = filteredEndpoint(container, worker, ({ source }) => source === worker);
  container.startMessages();
  const peer = peerAt(endpoint, () => {
    endpoint.close();
    return registration.unregister();
  });
  // The worker holds this lock as long as it runs.
  void locks?.request(registration.scope, () =>
    peer.exited('the service worker ended: browsers end one that gets no message for half a minute'),
  );
  return peer;
}

/** A page that is not secure has none. */
export const serviceWorkers = container && {
  'service-worker': (entry: PeerEntry) => spawn(container, entry),
};

/** Inside a service worker: messages from and to the page that registered it. */
export function clientEndpoint(): Endpoint {
  let client: MessageEventSource | null = null;
  const postMessage = (message: unknown, transfer: Transferable[] = []) =>
    client?.postMessage(message, { transfer });
  const endpoint = filteredEndpoint(scope, { postMessage }, ({ source }) => {
    client = source;
    return true;
  });
  const held = new Promise<void>((resolve) => {
    void locks?.request(scope.registration?.scope ?? '', () => {
      resolve();
      return new Promise(noop);
    });
  });
  scope.addEventListener('install', (event) => (event as ExtendableEvent).waitUntil(held));
  return endpoint;
}
