import { now } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import type { MessageFactory } from '../variants/message-factory.ts';
import type { SharedInstructions } from './instructions.ts';

/** Times how long the peer takes to receive and restore one message. Throws what restoring throws. */
export interface ReceiveTimer {
  /** Called in a message event when the message is queued. Reports at once, or at the next event. */
  begin(factory: MessageFactory): void;
  /** True when the event was the awaited message. */
  arrived(data: unknown): boolean;
  /** The message cannot be deserialized. */
  cancel(): void;
}

/** Node and Bun: one call, without the event loop. The message is already queued, so the call does not wait. */
export class PortReceiveTimer implements ReceiveTimer {
  readonly #port: MessagePort;
  readonly #receive: NonNullable<Platform['receiveOnPort']>;
  readonly #shared: SharedInstructions;

  constructor(
    port: MessagePort,
    receive: NonNullable<Platform['receiveOnPort']>,
    shared: SharedInstructions,
  ) {
    this.#port = port;
    this.#receive = receive;
    this.#shared = shared;
  }

  begin(factory: MessageFactory): void {
    const began = now();
    const received = this.#receive(this.#port);
    // Bun before 1.4 deserializes a falsy message and then returns undefined, as if there were none.
    if (received !== undefined) factory.restore(received.message);
    this.#shared.reportReceived(now() - began);
  }

  arrived(): boolean {
    return false;
  }

  cancel(): void {
    // Nothing is awaited between two calls.
  }
}

/**
 * Deno: from the end of one event to the next. The message is already queued, so only receiving it happens in between.
 */
export class EventReceiveTimer implements ReceiveTimer {
  readonly #shared: SharedInstructions;
  #factory: MessageFactory | null = null;
  #began = 0;

  constructor(shared: SharedInstructions) {
    this.#shared = shared;
  }

  begin(factory: MessageFactory): void {
    this.#factory = factory;
    this.#began = now();
  }

  arrived(data: unknown): boolean {
    const factory = this.#factory;
    if (factory === null) return false;
    this.#factory = null;
    factory.restore(data);
    this.#shared.reportReceived(now() - this.#began);
    return true;
  }

  cancel(): void {
    this.#factory = null;
  }
}
