import { randomBytes } from 'node:crypto';
import type { Hello, NumberedRequest } from '../../model/wire/wire.ts';
import { helloIn, Mismatch, messageIn } from './answers.ts';
import { deferred } from './body.ts';
import type { GuestConnection, HostLink } from './connected-guest.ts';

/** Limit of the hello. */
export const HELLO_BYTES = 16_384;

/**
 * The host's end of the link to one guest, over any transport. The first message is the hello, with the token of this
 * link. User code in the guest can write to it too: an invalid message ends it.
 */
export abstract class GuestLink implements HostLink {
  readonly token = randomBytes(16).toString('hex');
  onMessage: (message: unknown) => void = () => undefined;
  mostBytes = HELLO_BYTES;
  readonly #closed = deferred<string | null>();
  readonly closed = this.#closed.promise;
  readonly #connected = deferred<GuestConnection>();
  /** The guest has said its hello. */
  readonly connected = this.#connected.promise;
  #isKnown = false;

  abstract send(message: NumberedRequest): void;
  abstract close(): void;

  /** Receives the bytes of a message. @throws Mismatch if the first message is not a hello */
  receive(bytes: Uint8Array): void {
    try {
      if (this.#isKnown) this.onMessage(messageIn(bytes));
      else this.#begin(helloIn(bytes));
    } catch (error) {
      if (!(this.#isKnown && error instanceof Mismatch)) throw error;
      this.refuse(error.message);
    }
  }

  /** Ends the link for this reason. Messages that have already arrived are not read. */
  refuse(reason: string): void {
    this.onMessage = () => undefined;
    this.ended(reason);
    this.close();
  }

  /** Nothing carries it any more. */
  ended(reason: string | null = null): void {
    this.#closed.resolve(reason);
  }

  #begin(hello: Hello): void {
    if (hello.token !== this.token) return;
    this.#isKnown = true;
    // Until the first request no message may arrive.
    this.mostBytes = 0;
    this.#connected.resolve({ hello, link: this });
  }
}
