import { envelopeFor } from '../../../core/recording/envelopes/envelopes.ts';
import type { LibraryName } from '../../../model/names.ts';
import type { Variant } from '../../../model/wire/wire.ts';
import type { FarEnd } from '../../channel/channel.ts';
import type { Endpoint } from '../../platform/common/endpoint.ts';
import { rewriteFor } from '../../prove/remedy-by-name.ts';
import { messageOf } from '../../user-code/thrown.ts';
import type { SharedInstructions } from '../peer/instructions.ts';

/** First message to a fresh receiver, on its own channel. */
export interface RetainStart {
  variant: Variant;
  via: LibraryName | null;
  far: FarEnd;
  /** Memory of the shared instructions; null for a frame. */
  memory: SharedArrayBuffer | null;
}

/** Announces the messages of one run. */
export interface RetainInstruction {
  messages: number;
  /** They are empty: nothing to restore. */
  empty: boolean;
}

/** Posted when the receiver has started, and when it has all messages: null, or the error. */
export type RetainResult = string | null;

/** What a receiver does with a message: the remedy's `restore` where the sender converts. */
export async function restoreOf(
  { remedy, plan, mode }: Variant,
  via: LibraryName | null | undefined,
): Promise<(message: unknown) => unknown> {
  const { unwrap } = envelopeFor(via, 'alone');
  if (remedy === null || plan === null || mode !== 'with-conversion') return unwrap;
  const { restore, receive = restore } = await rewriteFor(remedy, plan);
  return (message) => receive(unwrap(message), plan);
}

export interface RetainingReceiverOptions {
  /** Receives the instructions. */
  parent: Endpoint;
  /** Receives the messages; may be the same. */
  endpoint: Endpoint;
  /** null in a frame: it receives nothing before its page, which runs in the same thread, has posted all. */
  shared: SharedInstructions | null;
  /** What to do with each message. */
  restore: (message: unknown) => unknown;
  collectGarbage: () => void;
}

/** Waits until all messages are queued, then receives and retains every one. */
export class RetainingReceiver {
  readonly #options: RetainingReceiverOptions;
  #empty = false;
  #retained: unknown[] = [];
  #awaited = 0;
  #failure: RetainResult = null;

  constructor(options: RetainingReceiverOptions) {
    this.#options = options;
    const { parent, endpoint } = options;
    parent.onMessage = (data) => this.#receive(data);
    endpoint.onMessage = parent === endpoint ? parent.onMessage : (data) => this.#retain(data);
    endpoint.onMessageError = (reason) => this.#fail(reason);
  }

  #receive(data: unknown): void {
    if (this.#awaited > 0) this.#retain(data);
    else this.#await(data as RetainInstruction);
  }

  #await({ messages, empty }: RetainInstruction): void {
    this.#retained = [];
    this.#empty = empty;
    this.#failure = null;
    this.#options.collectGarbage();
    this.#awaited = messages;
    if (this.#options.shared?.awaitPosted() === false) this.#awaited = 0;
  }

  #retain(data: unknown): void {
    try {
      this.#retained.push(this.#empty ? data : this.#options.restore(data));
      this.#arrived();
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  #fail(reason: string): void {
    this.#failure ??= reason;
    this.#arrived();
  }

  #arrived(): void {
    this.#awaited--;
    if (this.#awaited === 0) this.#options.parent.post(this.#failure);
  }
}
