import { now } from '../../platform/common/clock.ts';
import type { LocalChannel } from '../../platform/common/platform.ts';
import { turnOfEventLoop } from '../../platform/event-loop.ts';
import type { PreparedVariant, VariantSamples } from '../variants/prepare.ts';
import { type StopWhen, type TimedLoop, takeTurns } from './interleave.ts';
import type { Schedule } from './schedule.ts';

/**
 * Without a peer. One call of structuredClone serializes and deserializes, so it counts as the round trip and as the send; with
 * conversion the round trip ends when the clone is restored. There is no receiver to time. Of a file, writing it is the
 * send, reading it back the receive.
 */
export class LocalLoop implements TimedLoop {
  keeping = false;
  readonly schedule: Schedule;
  readonly #variants: readonly PreparedVariant[];
  readonly #channel: LocalChannel;
  /** The latest, which lives until the next. */
  received: unknown;
  #cold = true;

  constructor(channel: LocalChannel, variants: readonly PreparedVariant[], schedule: Schedule) {
    this.#channel = channel;
    this.#variants = variants;
    this.schedule = schedule;
  }

  async run(stop: StopWhen): Promise<void> {
    // Finalizers of the garbage collector and the link to the host need the event loop.
    await turnOfEventLoop();
    await takeTurns(this.schedule, this.#variants, stop, (variant) => this.#pass(variant));
    this.received = undefined;
  }

  /** A block of messages: one, unless the clock is coarse. The time in which values are built does not count. */
  async #pass({ factory, samples }: PreparedVariant): Promise<void> {
    const endpoint = this.#channel.endpoint(factory.content);
    const isSplit = this.#channel.isRead || factory.converts;
    let [spent, receiving, done] = [0, 0, 0];
    const prepare = async () => {
      if (factory.consumed) await factory.fill();
      this.#channel.discard();
    };
    await prepare();
    let began = now();
    do {
      for (; done < samples.trips.messages; done++) {
        if (factory.consumed || (done > 0 && this.#channel.isRead)) {
          spent += now() - began;
          await prepare();
          began = now();
        }
        factory.post(endpoint);
        const sent = isSplit ? now() : 0;
        this.received = factory.restore(endpoint.received);
        if (isSplit) receiving += now() - sent;
      }
      const at = now();
      spent += at - began;
      began = at;
    } while (samples.trips.mustGoOn(spent));
    this.#keep(samples, spent / done, receiving / done);
    samples.trips.took(spent);
  }

  #keep(samples: VariantSamples, trip: number, receive: number): void {
    if (this.#cold && samples.trips.isLongEnough(trip)) samples.cold = Math.round(trip);
    this.#cold = false;
    if (trip < samples.fastest) samples.fastest = trip;
    if (!this.keeping) return;
    samples.roundTrip.add(trip);
    samples.send.add(trip - receive);
    if (this.#channel.isRead) samples.receive.add(receive);
  }
}
