import './probe.ts';
import { toWorkers } from '../../src/guest/platform/common/platform.ts';
import { givePlatform } from '../../src/guest/platform/current.ts';
import { runningPlatform } from '../../src/guest/platform/process/platforms.ts';

const running = runningPlatform();

/** Bundles of peers lie beside that of a guest: where its code runs in the process of a test, there is no other thread. */
const noPeer = () => {
  throw new Error('no peer can be started');
};

/** The platform of this process, given to the code of guests that a test calls here. */
export const platform = { ...running, peers: { ...running.peers, ...toWorkers(noPeer) } };

givePlatform(platform);
