/** Channels of MessagePorts and other receivers, by who posts the first message on them. */
import { HEADER } from '../../core/recording/threads/counters.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Call } from '../messages/recorder.ts';
import { startsWith, Weak, weakGet, weakSet } from '../realm/intrinsics.ts';
import type { StackFrame } from '../realm/platform.ts';
import type { Bucket } from '../records/bucket.ts';
import { NOWHERE, type Receipts } from './receipts.ts';

export class PortChannels {
  readonly #counters: Float64Array;
  readonly #receipts: Receipts;
  readonly #frames: ((patch: unknown) => StackFrame[]) | null;
  readonly #channels = new Weak<object, CountedChannel | null>();
  /** All ports of a thread share their classes of messages. */
  readonly #buckets: Bucket[] = [];

  /** @param frames tell who posts; null where the runtime itself posts on no port */
  constructor(counters: Float64Array, receipts: Receipts, frames: ((patch: unknown) => StackFrame[]) | null) {
    this.#counters = counters;
    this.#receipts = receipts;
    this.#frames = frames;
  }

  know(port: object, channel: CountedChannel | null): void {
    weakSet(this.#channels, port, channel);
  }

  known(port: object): CountedChannel | null | undefined {
    return weakGet(this.#channels, port);
  }

  /** Channel of a port; null where the runtime itself posts on it. */
  of(port: object, patch: Call): CountedChannel | null {
    const known = weakGet(this.#channels, port);
    if (known !== undefined) return known;
    const caller = this.#frames === null ? undefined : this.#frames(patch)[0];
    const channel = caller !== undefined && startsWith(caller.file, 'node:') ? null : this.#ofProgram();
    weakSet(this.#channels, port, channel);
    if (channel === null) this.#receipts.know(port, NOWHERE);
    return channel;
  }

  #ofProgram(): CountedChannel {
    return {
      api: 'MessagePort.postMessage',
      to: null,
      queue: {
        fields: this.#counters,
        sent: HEADER.portsSent,
        received: HEADER.portsReceived,
        max: HEADER.portsQueueMax,
      },
      buckets: this.#buckets,
    };
  }
}
