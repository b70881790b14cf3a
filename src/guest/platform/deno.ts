import type { Ground } from '../measure/peer/endpoint.ts';
import { BroadcastLane, spawnWebWorker, webParentLane, webPortLane } from './web.ts';

/** Web workers and ports, as programs for Deno use them. */
export const DENO: Ground = {
  spawnWorker: spawnWebWorker,
  spawnChild: null,
  parentLane: webParentLane,
  portLane: webPortLane,
  broadcastLane: (name) => new BroadcastLane(name),
  takesByPort: false,
  leavesTraces: false,
  watchGc: null,
};
