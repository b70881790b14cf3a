import { receiveMessageOnPort } from 'node:worker_threads';
import { sayingOf } from '../user-code.ts';
import { now } from './clock.ts';
import type { Faults } from './fault.ts';
import type { Form } from './form.ts';
import type { Lane } from './lane.ts';
import { ANSWER, type ControlBlock, FINISH, type OrderReader, PREPARE, TAKE } from './orders.ts';

/** What the peer needs to take messages from the quiet port. */
export interface Quiet {
  port: MessagePort;
  control: ControlBlock;
}

/**
 * The peer's side. It undoes what it got and answers with an equal value of its own, made by the same way, instead of
 * sending back what it received: an engine may give back a degraded value (V8 deserializes every array as a holey one,
 * whose way back would take the key by key path and cost several times the way there), and a program that answers
 * seldom answers with the very object that it was sent. So both directions pay alike.
 */
export class Echo {
  readonly #lane: Lane;
  readonly #reader: OrderReader;
  readonly #forms: readonly Form[];
  readonly #faults: Faults;
  readonly #quiet: Quiet | null;
  readonly #finish: () => void;
  #nth = 0;

  constructor(
    lane: Lane,
    reader: OrderReader,
    forms: readonly Form[],
    faults: Faults,
    quiet: Quiet | null,
    finish: () => void,
  ) {
    this.#lane = lane;
    this.#reader = reader;
    this.#forms = forms;
    this.#faults = faults;
    this.#quiet = quiet;
    this.#finish = finish;
    lane.onMessage = (data) => this.#take(data);
    lane.onBroken = (why) => lane.post(faults.say(why));
  }

  #take(data: unknown): void {
    const reader = this.#reader;
    reader.read(data);
    if (reader.order === ANSWER) this.#answer(this.#forms[reader.contestant] as Form, data);
    else if (reader.order === PREPARE) void this.#prepare(this.#forms[reader.contestant] as Form);
    else if (reader.order === TAKE && this.#quiet) this.#takeQuietly(this.#quiet);
    else if (reader.order === FINISH) this.#finish();
  }

  #answer(form: Form, data: unknown): void {
    try {
      form.undo(data);
      form.post(this.#lane);
    } catch (error) {
      this.#lane.post(this.#faults.say(sayingOf(error)));
    }
  }

  async #prepare(form: Form): Promise<void> {
    try {
      if (form.spent) await form.fill();
      this.#lane.post('');
    } catch (error) {
      this.#lane.post(this.#faults.say(sayingOf(error)));
    }
  }

  /** Blocks this thread until the block is over, then says so, or what failed, on the lane. */
  #takeQuietly({ port, control }: Quiet): void {
    let fault: string | null = null;
    for (;;) {
      control.awaitPosted(++this.#nth);
      if (control.contestant < 0) break;
      try {
        control.report(this.#nth, this.#timeTake(port, this.#forms[control.contestant] as Form));
      } catch (error) {
        fault = sayingOf(error);
        control.report(this.#nth, -1);
      }
    }
    this.#lane.post(fault === null ? '' : this.#faults.say(fault));
  }

  /** ns. The sender has posted before it hands over, and every runtime queues at once, so there is no waiting here. */
  #timeTake(port: MessagePort, form: Form): number {
    const began = now();
    const taken = receiveMessageOnPort(port as unknown as Parameters<typeof receiveMessageOnPort>[0]);
    // Bun before 1.4 deserializes a falsy message and then says that there was none.
    if (taken !== undefined) form.undo(taken.message);
    return now() - began;
  }
}
