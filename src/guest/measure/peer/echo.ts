import { messageOf } from '../../user-code/user-code.ts';
import type { MessageFactory } from '../loop/message-factory.ts';
import type { ReceiveTimer } from '../loop/receive-timer.ts';
import type { Endpoint } from './endpoint.ts';
import type { PeerFailures } from './failures.ts';
import {
  ANSWER,
  FINISH,
  type InstructionReader,
  PREPARE,
  RECEIVE,
  type SharedInstructions,
} from './instructions.ts';

/** What the peer needs to time its own part; null between processes. */
export interface ReceiveTiming {
  timer: ReceiveTimer;
  control: SharedInstructions;
}

/**
 * The peer's side. It undoes what it got and answers with an equal value of its own, made by the same way, instead of
 * sending back what it received: an engine may give back a degraded value (V8 deserializes every array as a holey one,
 * whose way back would take the key by key path and cost several times the way there), and a program that answers
 * seldom answers with the very object that it was sent. So both directions pay alike.
 */
export class Echo {
  readonly #lane: Endpoint;
  readonly #reader: InstructionReader;
  readonly #forms: readonly MessageFactory[];
  readonly #faults: PeerFailures;
  readonly #taking: ReceiveTiming | null;
  readonly #finish: () => void;

  constructor(
    lane: Endpoint,
    reader: InstructionReader,
    forms: readonly MessageFactory[],
    faults: PeerFailures,
    taking: ReceiveTiming | null,
    finish: () => void,
  ) {
    this.#lane = lane;
    this.#reader = reader;
    this.#forms = forms;
    this.#faults = faults;
    this.#taking = taking;
    this.#finish = finish;
    lane.onMessage = (data) => this.#heed(data);
    lane.onMessageError = (why) => this.#fail(why);
  }

  #heed(data: unknown): void {
    try {
      if (this.#taking?.timer.arrived(data)) return;
      const reader = this.#reader;
      reader.read(data);
      const form = this.#forms[reader.variant] as MessageFactory;
      if (reader.instruction === ANSWER) {
        form.restore(data);
        form.post(this.#lane);
      } else if (reader.instruction === RECEIVE) this.#take(form);
      else if (reader.instruction === PREPARE) void this.#prepare(form);
      else if (reader.instruction === FINISH) this.#finish();
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  async #prepare(form: MessageFactory): Promise<void> {
    try {
      if (form.consumed) await form.fill();
      this.#lane.post('');
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  /** Blocks this thread until the sender has posted, or has given up. */
  #take(form: MessageFactory): void {
    if (this.#taking === null) return;
    const { control, timer: take } = this.#taking;
    if (control.awaitPosted()) take.begin(form);
    else control.report(0);
  }

  #fail(why: string): void {
    this.#taking?.timer.cancel();
    this.#taking?.control.report(-1);
    this.#lane.post(this.#faults.encode(why));
  }
}
