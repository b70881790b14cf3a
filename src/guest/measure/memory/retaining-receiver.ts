import type { Variant } from '../../../model/wire.ts';
import { remedyNamed } from '../../prove/remedy-by-name.ts';
import { messageOf } from '../../user-code/user-code.ts';
import type { FarEnd } from '../peer/channel.ts';
import type { Endpoint } from '../peer/endpoint.ts';
import type { SharedInstructions } from '../peer/instructions.ts';
import { collectGarbage } from './collect-garbage.ts';

/** First message to a fresh keeper, on its own lane. */
export interface RetainStart {
  variant: Variant;
  far: FarEnd;
  memory: SharedArrayBuffer;
}

/** What the keeper is told before messages come. */
export interface RetainInstruction {
  messages: number;
  /** They are empty, so that there is nothing to undo. */
  empty: boolean;
}

/** What the keeper says when it is ready to be told, and when it holds all: null, or what went wrong. */
export type RetainResult = string | null;

/** What a receiver does with a message that arrived: the remedy's way back, where the sender converts. */
export function restoreOf({ remedy, plan, mode }: Variant): (message: unknown) => unknown {
  if (remedy === null || plan === null || mode !== 'with-conversion') return (message) => message;
  const { restore } = remedyNamed(remedy);
  return (message) => restore(message, plan);
}

/** The receiver: stands still until all messages are queued, then takes them and lets go of none. */
export class RetainingReceiver {
  readonly #home: Endpoint;
  readonly #control: SharedInstructions;
  readonly #undo: (message: unknown) => unknown;
  #empty = false;
  #kept: unknown[] = [];
  #awaited = 0;
  #fault: RetainResult = null;

  /** `lane` brings the messages, `home` the orders; they may be one. */
  constructor(home: Endpoint, lane: Endpoint, control: SharedInstructions, variant: Variant) {
    this.#home = home;
    this.#control = control;
    this.#undo = restoreOf(variant);
    home.onMessage = (data) => this.#heed(data);
    lane.onMessage = home === lane ? home.onMessage : (data) => this.#keep(data);
    lane.onMessageError = (why) => this.#miss(why);
  }

  #heed(data: unknown): void {
    if (this.#awaited > 0) this.#keep(data);
    else this.#wait(data as RetainInstruction);
  }

  #wait({ messages, empty }: RetainInstruction): void {
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
      this.#miss(messageOf(error));
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
