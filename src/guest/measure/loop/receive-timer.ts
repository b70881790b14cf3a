import { receiveMessageOnPort } from 'node:worker_threads';
import type { ControlBlock } from '../peer/instructions.ts';
import { now } from './clock.ts';
import type { Form } from './message-factory.ts';

/** How the peer times what taking one message costs it. ns; throws what undoing throws. */
export interface Take {
  /** Called in a message event, when the message is surely queued. Reports at once or when the next event comes. */
  begin(form: Form): void;
  /** True when that event was the awaited message. */
  arrived(data: unknown): boolean;
  /** That message cannot be had. */
  forget(): void;
}

/** Node and Bun: one call, no event loop. The sender has posted, and both queue at once, so there is no waiting here. */
export class PortTake implements Take {
  readonly #port: Parameters<typeof receiveMessageOnPort>[0];
  readonly #control: ControlBlock;

  constructor(port: MessagePort, control: ControlBlock) {
    this.#port = port as unknown as Parameters<typeof receiveMessageOnPort>[0];
    this.#control = control;
  }

  begin(form: Form): void {
    const began = now();
    const taken = receiveMessageOnPort(this.#port);
    // Bun before 1.4 deserializes a falsy message and then says that there was none.
    if (taken !== undefined) form.undo(taken.message);
    this.#control.report(now() - began);
  }

  arrived(): boolean {
    return false;
  }

  forget(): void {
    // Nothing is awaited between two calls.
  }
}

/**
 * Deno: from the end of one event to the next, whose message was queued all the while, so that nothing but taking it
 * lies between. Its `receiveMessageOnPort` is no measure: it walks the received value property by property, looking
 * for ports (patchMessagePortIfFound in ext/node/polyfills/worker_threads.ts): 20 ms for 300 kB of bytes that an event
 * brings in 0.1 ms.
 */
export class EventTake implements Take {
  readonly #control: ControlBlock;
  #form: Form | null = null;
  #began = 0;

  constructor(control: ControlBlock) {
    this.#control = control;
  }

  begin(form: Form): void {
    this.#form = form;
    this.#began = now();
  }

  arrived(data: unknown): boolean {
    const form = this.#form;
    if (form === null) return false;
    this.#form = null;
    form.undo(data);
    this.#control.report(now() - this.#began);
    return true;
  }

  forget(): void {
    this.#form = null;
  }
}
