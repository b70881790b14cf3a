/** Where messages that arrive are counted. */
import { HEADER } from '../../core/recording/threads/counters.ts';
import { Weak, weakGet, weakSet } from '../realm/intrinsics.ts';

export interface Receiver {
  /** Nowhere for the runtime's own messages. */
  fields: Float64Array | null;
  at: number;
  /** How many were counted there. */
  count: number;
}

export const NOWHERE: Receiver = { fields: null, at: 0, count: 0 };

export class Receipts {
  readonly #counters: Float64Array;
  readonly #receivers = new Weak<object, Receiver>();

  constructor(counters: Float64Array) {
    this.#counters = counters;
  }

  /** A target of messages whose other end is known. What was counted for it moves there. */
  know(target: object, receiver: Receiver): void {
    const known = weakGet(this.#receivers, target);
    if (known === receiver) return;
    if (known !== undefined && known.fields !== null) {
      known.fields[known.at]! -= known.count;
      if (receiver.fields !== null) receiver.fields[receiver.at]! += known.count;
      receiver.count += known.count;
    }
    weakSet(this.#receivers, target, receiver);
  }

  knows(target: object): boolean {
    return weakGet(this.#receivers, target) !== undefined;
  }

  /** A message has arrived at a port or at what is known. */
  arrived(target: object): void {
    let receiver = weakGet(this.#receivers, target);
    if (receiver === undefined) {
      receiver = { fields: this.#counters, at: HEADER.portsReceived, count: 0 };
      weakSet(this.#receivers, target, receiver);
    }
    receiver.count++;
    if (receiver.fields !== null) receiver.fields[receiver.at]!++;
  }
}
