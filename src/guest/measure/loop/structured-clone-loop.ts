import { CloneEndpoint } from '../../platform/clone-endpoint.ts';
import { now } from '../../platform/common/clock.ts';
import { turnOfEventLoop } from '../../platform/event-loop.ts';
import type { PreparedVariant, VariantSamples } from '../variants/prepare.ts';
import { type StopWhen, type TimedLoop, takeTurns } from './interleave.ts';
import type { Schedule } from './schedule.ts';

/**
 * Without a peer: one call serializes and deserializes, so it counts as the round trip and as the send; with conversion
 * the round trip ends when the clone is restored. There is no receiver to time.
 */
export class StructuredCloneLoop implements TimedLoop {
  keeping = false;
  readonly schedule: Schedule;
  readonly #variants: readonly PreparedVariant[];
  readonly #endpoint = new CloneEndpoint();
  #cold = true;

  constructor(variants: readonly PreparedVariant[], schedule: Schedule) {
    this.#variants = variants;
    this.schedule = schedule;
  }

  async run(stop: StopWhen): Promise<void> {
    // Finalizers of the garbage collector and the link to the host need the event loop.
    await turnOfEventLoop();
    await takeTurns(this.schedule, this.#variants, stop, (variant) => this.#clone(variant));
    this.#endpoint.close();
  }

  /** A block of clones: one, unless the clock is coarse. The time in which values are built does not count. */
  async #clone({ factory, samples }: PreparedVariant): Promise<void> {
    let [spent, restoring, done] = [0, 0, 0];
    if (factory.consumed) await factory.fill();
    let began = now();
    do {
      for (; done < samples.trips.messages; done++) {
        if (factory.consumed) {
          spent += now() - began;
          await factory.fill();
          began = now();
        }
        factory.post(this.#endpoint);
        const sent = factory.converts ? now() : 0;
        this.#endpoint.received = factory.restore(this.#endpoint.received);
        if (factory.converts) restoring += now() - sent;
      }
      const at = now();
      spent += at - began;
      began = at;
    } while (samples.trips.mustGoOn(spent));
    this.#keep(samples, spent / done, (spent - restoring) / done);
    samples.trips.took(spent);
  }

  #keep(samples: VariantSamples, trip: number, send: number): void {
    if (this.#cold && samples.trips.isLongEnough(trip)) samples.cold = Math.round(trip);
    this.#cold = false;
    if (trip < samples.fastest) samples.fastest = trip;
    if (!this.keeping) return;
    samples.roundTrip.add(trip);
    samples.send.add(send);
  }
}
