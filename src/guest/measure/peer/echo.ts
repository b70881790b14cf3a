import type { Endpoint } from '../../platform/common/endpoint.ts';
import { messageOf } from '../../user-code/thrown.ts';
import type { MessageFactory } from '../variants/message-factory.ts';
import type { PeerFailures } from './failures.ts';
import {
  ANSWER,
  FINISH,
  type InstructionReader,
  PREPARE,
  RECEIVE,
  type SharedInstructions,
} from './instructions.ts';
import type { ReceiveTimer } from './receive-timer.ts';

/** How the peer times receiving. */
export interface ReceiveTiming {
  timer: ReceiveTimer;
  shared: SharedInstructions;
}

export interface EchoOptions {
  endpoint: Endpoint;
  reader: InstructionReader;
  factories: readonly MessageFactory[];
  failures: PeerFailures;
  /** null between processes. */
  timing: ReceiveTiming | null;
  onFinish: () => void;
}

/**
 * The peer's side. It restores the received message and answers with an equal value of its own, made the same way, so
 * that both directions cost the same. It does not return the received value, which may be degraded (V8 deserializes every
 * array as a holey one, which takes the key-by-key path back and costs several times as much), and programs seldom
 * answer with the object that they received.
 */
export class Echo {
  readonly #options: EchoOptions;

  constructor(options: EchoOptions) {
    this.#options = options;
    options.endpoint.onMessage = (data) => this.#receive(data);
    options.endpoint.onMessageError = (reason) => this.#lost(reason);
  }

  #receive(data: unknown): void {
    const { timing, reader, factories, endpoint, onFinish } = this.#options;
    try {
      if (timing?.timer.arrived(data)) return;
      reader.read(data);
      const factory = factories[reader.variant] as MessageFactory;
      if (reader.instruction === ANSWER) {
        factory.restore(data);
        factory.post(endpoint);
      } else if (reader.instruction === RECEIVE) this.#time(factory);
      else if (reader.instruction === PREPARE) void this.#prepare(factory);
      else if (reader.instruction === FINISH) onFinish();
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  async #prepare(factory: MessageFactory): Promise<void> {
    try {
      if (factory.consumed) await factory.fill();
      this.#options.endpoint.post('');
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  /** Blocks this thread until the sender has posted or given up. */
  #time(factory: MessageFactory): void {
    const { timing } = this.#options;
    if (timing === null) return;
    if (timing.shared.awaitPosted()) timing.timer.begin(factory, timing.shared.messages);
    else timing.shared.reportReceived(0);
  }

  #lost(reason: string): void {
    try {
      if (this.#options.timing?.timer.lost(reason)) return;
    } catch {
      // It was the last one that was awaited.
    }
    this.#fail(reason);
  }

  #fail(reason: string): void {
    const { timing, endpoint, failures } = this.#options;
    timing?.shared.reportReceived(-1);
    endpoint.post(failures.encode(reason));
  }
}
