import type { Platform } from '../measure/peer/endpoint.ts';
import { spawnChild } from './child-process.ts';
import { BroadcastEndpoint, spawnWebWorker, webParentEndpoint, webPortEndpoint } from './web.ts';

/** Web workers and ports: `node:worker_threads` of Bun is a layer of JavaScript above the same ones. */
export const BUN: Platform = {
  spawnWorker: spawnWebWorker,
  spawnChild,
  parentEndpoint: webParentEndpoint,
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: (name) => new BroadcastEndpoint(name),
  receivesByPort: true,
  postingChangesValues: true,
  watchGc: null,
};
