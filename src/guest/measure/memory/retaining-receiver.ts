import type { Contestant } from '../../../model/wire.ts';
import { remedyNamed } from '../../prove/remedy-by-name.ts';
import { sayingOf } from '../../user-code/user-code.ts';
import type { FarEnd } from '../peer/channel.ts';
import type { Lane } from '../peer/endpoint.ts';
import type { ControlBlock } from '../peer/instructions.ts';
import { collectGarbage } from './collect-garbage.ts';

/** First message to a fresh keeper, on its own lane. */
export interface KeepStart {
  contestant: Contestant;
  far: FarEnd;
  memory: SharedArrayBuffer;
}

/** What the keeper is told before messages come. */
export interface KeepOrder {
  messages: number;
  /** They are empty, so that there is nothing to undo. */
  empty: boolean;
}

/** What the keeper says when it is ready to be told, and when it holds all: null, or what went wrong. */
export type Kept = string | null;

/** What a receiver does with a message that arrived: the remedy's way back, where the sender converts. */
export function wayBack({ remedy, plan, mode }: Contestant): (message: unknown) => unknown {
  if (remedy === null || plan === null || mode !== 'with-conversion') return (message) => message;
  const { restore } = remedyNamed(remedy);
  return (message) => restore(message, plan);
}

/** The receiver: stands still until all messages are queued, then takes them and lets go of none. */
export class Keeper {
  readonly #home: Lane;
  readonly #control: ControlBlock;
  readonly #undo: (message: unknown) => unknown;
  #empty = false;
  #kept: unknown[] = [];
  #awaited = 0;
  #fault: Kept = null;

  /** `lane` brings the messages, `home` the orders; they may be one. */
  constructor(home: Lane, lane: Lane, control: ControlBlock, contestant: Contestant) {
    this.#home = home;
    this.#control = control;
    this.#undo = wayBack(contestant);
    home.onMessage = (data) => this.#heed(data);
    lane.onMessage = home === lane ? home.onMessage : (data) => this.#keep(data);
    lane.onBroken = (why) => this.#miss(why);
  }

  #heed(data: unknown): void {
    if (this.#awaited > 0) this.#keep(data);
    else this.#wait(data as KeepOrder);
  }

  #wait({ messages, empty }: KeepOrder): void {
    this.#kept = [];
    this.#empty = empty;
    this.#fault = null;
    collectGarbage();
    this.#awaited = messages;
    if (!this.#control.awaitPosted()) this.#awaited = 0;
  }

  #keep(data: unknown): void {
    try {
      this.#kept.push(this.#empty ? data : this.#undo(data));
      this.#arrived();
    } catch (error) {
      this.#miss(sayingOf(error));
    }
  }

  #miss(why: string): void {
    this.#fault ??= why;
    this.#arrived();
  }

  #arrived(): void {
    this.#awaited--;
    if (this.#awaited === 0) this.#home.post(this.#fault);
  }
}
