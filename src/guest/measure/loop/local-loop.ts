import { now } from '../../platform/common/clock.ts';
import type { LocalChannel, LocalEndpoint } from '../../platform/common/platform.ts';
import { currentPlatform } from '../../platform/current.ts';
import type { PreparedVariant, VariantSamples } from '../variants/prepare.ts';
import { type StopWhen, type TimedLoop, takeTurns } from './interleave.ts';
import type { Schedule } from './schedule.ts';

/** Of a block of messages, ns: until what was posted can be asked for, all that comes after, and reading the value in it. */
interface Parts {
  written: number;
  receive: number;
  result: number;
}

/**
 * Without a peer. One call of structuredClone serializes and deserializes, so it counts as the round trip and as the send; with
 * conversion the round trip ends when the clone is restored. There is no receiver to time. Of a file, writing it is the
 * send, reading it back the receive. Of a database, the call that puts a record is the send: it blocks this thread. What is
 * waited for then, until the transaction is complete, is timed apart.
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
    await currentPlatform().turnOfEventLoop();
    await takeTurns(this.schedule, this.#variants, stop, (variant) => this.#pass(variant));
    this.received = undefined;
  }

  /** A block of messages: one, unless the clock is coarse. The time in which values are built does not count. */
  async #pass({ factory, samples }: PreparedVariant): Promise<void> {
    const endpoint = this.#channel.endpoint(factory.content);
    const isSplit = this.#channel.isRead || factory.converts;
    const parts: Parts = { written: 0, receive: 0, result: 0 };
    let [spent, done] = [0, 0];
    const prepare = async () => {
      if (factory.consumed) await factory.fill();
      this.#channel.discard?.();
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
        const sent = endpoint.written ? await this.#arrived(endpoint, parts) : isSplit ? now() : 0;
        const restored = factory.restore(endpoint.received);
        this.received = factory.isAwaited ? await restored : restored;
        if (isSplit) parts.receive += now() - sent;
      }
      const at = now();
      spent += at - began;
      began = at;
    } while (samples.trips.mustGoOn(spent));
    this.#keep(samples, spent / done, parts, done);
    samples.trips.took(spent);
  }

  /** @returns when what was posted could be asked for */
  async #arrived(endpoint: LocalEndpoint, parts: Parts): Promise<number> {
    const posted = now();
    await endpoint.written?.();
    const written = now();
    parts.written += written - posted;
    await endpoint.asked?.();
    const arrived = now();
    // Read here once, it is not deserialized again.
    this.received = endpoint.received;
    parts.result += now() - arrived;
    return written;
  }

  #keep(samples: VariantSamples, trip: number, parts: Parts, done: number): void {
    if (this.#cold && samples.trips.isLongEnough(trip)) samples.cold = Math.round(trip);
    this.#cold = false;
    if (trip < samples.fastest) samples.fastest = trip;
    if (!this.keeping) return;
    const [written, receive] = [parts.written / done, parts.receive / done];
    samples.roundTrip.add(trip);
    samples.send.add(trip - receive - written);
    if (this.#channel.isRead) samples.receive.add(receive);
    if (this.#channel.isReadLate !== undefined) samples.written.add(written);
    if (this.#channel.isReadLate) samples.result.add(parts.result / done);
  }
}
