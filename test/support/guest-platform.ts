import './probe.ts';
import {
  copyingEndpoint,
  type Endpoint,
  givePlatform,
  noop,
  peerAt,
  toWorkers,
} from '../../src/guest/platform/common/platform.ts';
import { runningPlatform } from '../../src/guest/platform/process/platforms.ts';
import { createRestorer, type RestoreRequest } from '../../src/guest/prove/prove-rewrites.ts';

const running = runningPlatform();

/** Restores in this process what a worker would. */
function restoring(): Endpoint {
  const restore = createRestorer();
  const endpoint = copyingEndpoint((request) => {
    void restore(structuredClone(request) as RestoreRequest).then((answer) => endpoint.onMessage(answer));
  });
  return endpoint;
}

/** Bundles of peers lie beside that of a guest. If its code runs in the process of a test, there is no other thread. */
const peerHere = () => peerAt(restoring(), noop);

/** The platform of this process, given to the code of guests that a test calls here. */
export const platform = { ...running, peers: { ...running.peers, ...toWorkers(peerHere) } };

givePlatform(platform);
