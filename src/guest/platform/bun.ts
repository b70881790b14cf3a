import type { Ground } from '../measure/peer/endpoint.ts';
import { spawnChild } from './child-process.ts';
import { BroadcastLane, spawnWebWorker, webParentLane, webPortLane } from './web.ts';

/** Web workers and ports: `node:worker_threads` of Bun is a layer of JavaScript above the same ones. */
export const BUN: Ground = {
  spawnWorker: spawnWebWorker,
  spawnChild,
  parentLane: webParentLane,
  portLane: webPortLane,
  broadcastLane: (name) => new BroadcastLane(name),
  takesByPort: true,
  leavesTraces: true,
  watchGc: null,
};
