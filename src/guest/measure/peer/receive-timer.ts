import { now } from '../../platform/common/clock.ts';
import type { Platform } from '../../platform/common/platform.ts';
import type { MessageFactory } from '../variants/message-factory.ts';
import type { SharedInstructions } from './instructions.ts';

/**
 * Times how long the peer takes to receive and restore messages. Throws what restoring throws, once all messages are
 * received: what is left would be taken for messages of the next variant.
 */
export interface ReceiveTimer {
  /** Called in a message event when the messages are queued. Reports at once, or at the event of the last. */
  begin(factory: MessageFactory, messages: number): void;
  /** True when the event was an awaited message. */
  arrived(data: unknown): boolean;
  /** A message cannot be deserialized. True when more are awaited; throws the reason at the last. */
  lost(reason: string): boolean;
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

  begin(factory: MessageFactory, messages: number): void {
    const began = now();
    let done = 0;
    try {
      while (done < messages) {
        done++;
        const received = this.#receive(this.#port);
        // Bun before 1.4 deserializes a falsy message and then returns undefined, as if there were none.
        if (received !== undefined) factory.restore(received.message);
      }
    } catch (error) {
      for (; done < messages; done++) this.#receive(this.#port);
      throw error;
    }
    this.#shared.reportReceived(now() - began);
  }

  /** Nothing is awaited between two calls. */
  arrived(): boolean {
    return false;
  }

  lost(): boolean {
    return false;
  }
}

/**
 * Deno and pages: from the end of one event to the next. The messages are already queued, so only receiving them happens
 * in between.
 */
export class EventReceiveTimer implements ReceiveTimer {
  readonly #shared: SharedInstructions;
  #factory: MessageFactory | null = null;
  #began = 0;
  #awaited = 0;
  /** Why one of the messages was not received. */
  #failure: { error: unknown } | null = null;

  constructor(shared: SharedInstructions) {
    this.#shared = shared;
  }

  begin(factory: MessageFactory, messages: number): void {
    this.#factory = factory;
    this.#awaited = messages;
    this.#began = now();
  }

  arrived(data: unknown): boolean {
    const factory = this.#factory;
    if (factory === null) return false;
    try {
      if (this.#failure === null) factory.restore(data);
    } catch (error) {
      this.#failure = { error };
    }
    this.#counted();
    return true;
  }

  lost(reason: string): boolean {
    if (this.#factory === null) return false;
    this.#failure ??= { error: new Error(reason) };
    this.#counted();
    return true;
  }

  #counted(): void {
    if (--this.#awaited > 0) return;
    const failure = this.#failure;
    this.#factory = this.#failure = null;
    if (failure !== null) throw failure.error;
    this.#shared.reportReceived(now() - this.#began);
  }
}
