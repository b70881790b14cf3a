import './probe.ts';
import { CopyingEndpoint, noop, peerAt, toWorkers } from '../../src/guest/platform/common/platform.ts';
import { givePlatform } from '../../src/guest/platform/current.ts';
import { runningPlatform } from '../../src/guest/platform/process/platforms.ts';
import { createRestorer, type RestoreRequest } from '../../src/guest/prove/restorer.ts';

const running = runningPlatform();

/** Restores in this process what a worker would. */
class Restoring extends CopyingEndpoint {
  readonly #restore = createRestorer();

  post(request: RestoreRequest): void {
    void this.#restore(structuredClone(request)).then((answer) => this.onMessage(answer));
  }
}

/** Bundles of peers lie beside that of a guest. If its code runs in the process of a test, there is no other thread. */
const peerHere = () => peerAt(new Restoring(), noop);

/** The platform of this process, given to the code of guests that a test calls here. */
export const platform = { ...running, peers: { ...running.peers, ...toWorkers(peerHere) } };

givePlatform(platform);
