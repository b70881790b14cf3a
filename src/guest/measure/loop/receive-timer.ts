import { receiveMessageOnPort } from 'node:worker_threads';
import type { SharedInstructions } from '../peer/instructions.ts';
import { now } from './clock.ts';
import type { MessageFactory } from './message-factory.ts';

/** How the peer times what taking one message costs it. ns; throws what undoing throws. */
export interface ReceiveTimer {
  /** Called in a message event, when the message is surely queued. Reports at once or when the next event comes. */
  begin(form: MessageFactory): void;
  /** True when that event was the awaited message. */
  arrived(data: unknown): boolean;
  /** That message cannot be had. */
  cancel(): void;
}

/** Node and Bun: one call, no event loop. The sender has posted, and both queue at once, so there is no waiting here. */
export class PortReceiveTimer implements ReceiveTimer {
  readonly #port: Parameters<typeof receiveMessageOnPort>[0];
  readonly #control: SharedInstructions;

  constructor(port: MessagePort, control: SharedInstructions) {
    this.#port = port as unknown as Parameters<typeof receiveMessageOnPort>[0];
    this.#control = control;
  }

  begin(form: MessageFactory): void {
    const began = now();
    const taken = receiveMessageOnPort(this.#port);
    // Bun before 1.4 deserializes a falsy message and then says that there was none.
    if (taken !== undefined) form.restore(taken.message);
    this.#control.report(now() - began);
  }

  arrived(): boolean {
    return false;
  }

  cancel(): void {
    // Nothing is awaited between two calls.
  }
}

/**
 * Deno: from the end of one event to the next, whose message was queued all the while, so that nothing but taking it
 * lies between. Its `receiveMessageOnPort` is no measure: it walks the received value property by property, looking
 * for ports (patchMessagePortIfFound in ext/node/polyfills/worker_threads.ts): 20 ms for 300 kB of bytes that an event
 * brings in 0.1 ms.
 */
export class EventReceiveTimer implements ReceiveTimer {
  readonly #control: SharedInstructions;
  #form: MessageFactory | null = null;
  #began = 0;

  constructor(control: SharedInstructions) {
    this.#control = control;
  }

  begin(form: MessageFactory): void {
    this.#form = form;
    this.#began = now();
  }

  arrived(data: unknown): boolean {
    const form = this.#form;
    if (form === null) return false;
    this.#form = null;
    form.restore(data);
    this.#control.report(now() - this.#began);
    return true;
  }

  cancel(): void {
    this.#form = null;
  }
}
