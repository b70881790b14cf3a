import { sayingOf } from '../../user-code/user-code.ts';
import type { Form } from '../loop/message-factory.ts';
import type { Take } from '../loop/receive-timer.ts';
import type { Lane } from './endpoint.ts';
import type { Faults } from './failures.ts';
import { ANSWER, type ControlBlock, FINISH, type OrderReader, PREPARE, TAKE } from './instructions.ts';

/** What the peer needs to time its own part; null between processes. */
export interface Taking {
  take: Take;
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
  readonly #taking: Taking | null;
  readonly #finish: () => void;

  constructor(
    lane: Lane,
    reader: OrderReader,
    forms: readonly Form[],
    faults: Faults,
    taking: Taking | null,
    finish: () => void,
  ) {
    this.#lane = lane;
    this.#reader = reader;
    this.#forms = forms;
    this.#faults = faults;
    this.#taking = taking;
    this.#finish = finish;
    lane.onMessage = (data) => this.#heed(data);
    lane.onBroken = (why) => this.#fail(why);
  }

  #heed(data: unknown): void {
    try {
      if (this.#taking?.take.arrived(data)) return;
      const reader = this.#reader;
      reader.read(data);
      const form = this.#forms[reader.contestant] as Form;
      if (reader.order === ANSWER) {
        form.undo(data);
        form.post(this.#lane);
      } else if (reader.order === TAKE) this.#take(form);
      else if (reader.order === PREPARE) void this.#prepare(form);
      else if (reader.order === FINISH) this.#finish();
    } catch (error) {
      this.#fail(sayingOf(error));
    }
  }

  async #prepare(form: Form): Promise<void> {
    try {
      if (form.spent) await form.fill();
      this.#lane.post('');
    } catch (error) {
      this.#fail(sayingOf(error));
    }
  }

  /** Blocks this thread until the sender has posted, or has given up. */
  #take(form: Form): void {
    if (this.#taking === null) return;
    const { control, take } = this.#taking;
    if (control.awaitPosted()) take.begin(form);
    else control.report(0);
  }

  #fail(why: string): void {
    this.#taking?.take.forget();
    this.#taking?.control.report(-1);
    this.#lane.post(this.#faults.say(why));
  }
}
