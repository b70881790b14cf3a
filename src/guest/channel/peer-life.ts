import { ToolError } from '../../model/errors.ts';
import type { Peer } from '../platform/common/endpoint.ts';

/** Whether a peer still runs, and a way to wait for it that ends when it dies. */
export class PeerLife {
  /** The peer has ended, or is about to be ended. */
  over = false;
  readonly #died: Promise<never>;

  constructor(peer: Peer) {
    this.#died = new Promise((_, reject) => {
      peer.onExit = (reason) => {
        this.over = true;
        reject(new ToolError('measure-failed', { detail: reason }));
      };
    });
    this.#died.catch(() => undefined);
  }

  /** @throws ToolError 'measure-failed' when the peer dies first */
  whileAlive<T>(work: T | Promise<T>): Promise<T> {
    return Promise.race([work, this.#died]);
  }
}
