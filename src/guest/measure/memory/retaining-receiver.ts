/** The other end of messages whose memory is measured. */
import { farEndpoint } from '../../channel/channel.ts';
import type { Endpoint } from '../../platform/common/platform.ts';
import { currentPlatform } from '../../platform/current.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import { SharedInstructions } from '../peer/instructions.ts';
import { type RetainInstruction, type RetainResult, type RetainStart, receiverFor } from './in-flight-run.ts';

/** Waits until all messages are queued, then receives and retains every one. Instructions come from the parent. */
class RetainingReceiver {
  readonly #parent: Endpoint;
  readonly #shared: SharedInstructions | null;
  readonly #restore: (message: unknown) => unknown;
  #empty = false;
  #retained: unknown[] = [];
  #awaited = 0;
  #failure: RetainResult = null;

  /**
   * @param endpoint receives the messages; may be the parent
   * @param shared null in a frame: it receives nothing before its page, which runs in the same thread, has posted all
   */
  constructor(
    parent: Endpoint,
    endpoint: Endpoint,
    shared: SharedInstructions | null,
    restore: (message: unknown) => unknown,
  ) {
    this.#parent = parent;
    this.#shared = shared;
    this.#restore = restore;
    parent.onMessage = (data) => {
      if (this.#awaited > 0) this.#retain(data);
      else this.#await(data as RetainInstruction);
    };
    endpoint.onMessage = parent === endpoint ? parent.onMessage : (data) => this.#retain(data);
    endpoint.onMessageError = (reason) => this.#fail(reason);
  }

  #await({ messages, empty }: RetainInstruction): void {
    this.#retained = [];
    this.#empty = empty;
    this.#failure = null;
    currentPlatform().collectGarbage();
    this.#awaited = messages;
    if (this.#shared?.awaitPosted() === false) this.#awaited = 0;
  }

  #retain(data: unknown): void {
    try {
      this.#retained.push(this.#empty ? data : this.#restore(data));
      this.#arrived();
    } catch (error) {
      this.#fail(thrownMessage(error));
    }
  }

  #fail(reason: string): void {
    this.#failure ??= reason;
    this.#arrived();
  }

  #arrived(): void {
    this.#awaited--;
    if (this.#awaited === 0) this.#parent.post(this.#failure);
  }
}

async function begin(parent: Endpoint, { variant, via, far, memory }: RetainStart): Promise<void> {
  try {
    const shared = memory && new SharedInstructions(memory);
    new RetainingReceiver(parent, farEndpoint(far, parent), shared, await receiverFor(variant, via));
    parent.post(null);
  } catch (error) {
    parent.post(thrownMessage(error));
  }
}

export function retainMessages(parent: Endpoint): void {
  parent.onMessage = (data) => void begin(parent, data as RetainStart);
}
