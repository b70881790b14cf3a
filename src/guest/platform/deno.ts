import type { Platform } from '../measure/peer/endpoint.ts';
import { BroadcastEndpoint, spawnWebWorker, webParentEndpoint, webPortEndpoint } from './web.ts';

/** Web workers and ports, as programs for Deno use them. */
export const DENO: Platform = {
  spawnWorker: spawnWebWorker,
  spawnChild: null,
  parentEndpoint: webParentEndpoint,
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: (name) => new BroadcastEndpoint(name),
  receivesByPort: false,
  postingChangesValues: false,
  watchGc: null,
};
