import { seedFor } from '../../../core/stats/random.ts';
import type { Measured } from '../../../model/wire.ts';
import { currentPlatform } from '../../platform/platform.ts';
import { messageOf } from '../../user-code/user-code.ts';
import type { MeasureAsk, TellProgress } from '../measure.ts';
import { CloneEndpoint } from '../peer/clone-endpoint.ts';
import { now } from './clock.ts';
import { interleave, type StopWhen, type TimedLoop } from './interleave.ts';
import type { MessageFactory } from './message-factory.ts';
import { turnOfEventLoop } from './one-way-loop.ts';
import { gcOf, setsOf } from './results.ts';
import type { VariantSamples } from './samples.ts';
import { firstOf, Schedule } from './schedule.ts';
import { ValueSource } from './value-source.ts';
import { type PreparedVariants, prepareVariants, usableVariants } from './variants.ts';

/**
 * No peer: one call is both ways of the serializer, so it counts as the trip and as what blocks the sender; with
 * conversion the trip ends when the clone is restored. There is no receiver to time.
 */
export class StructuredCloneLoop implements TimedLoop {
  keeping = false;
  readonly schedule: Schedule;
  readonly #variants: PreparedVariants;
  readonly #lane = new CloneEndpoint();
  #cold = true;

  constructor(variants: PreparedVariants, schedule: Schedule) {
    this.#variants = variants;
    this.schedule = schedule;
  }

  async run(stop: StopWhen): Promise<void> {
    // Lets what waits in the event loop have its turn: the collector's finalizers, the line to the host.
    await turnOfEventLoop();
    while (!this.schedule.empty) {
      const index = this.schedule.current;
      const form = this.#variants.factories[index] as MessageFactory;
      const tally = this.#variants.samples[index] as VariantSamples;
      try {
        if (form.consumed) await form.fill();
        this.#clone(form, tally);
        this.schedule.advance();
      } catch (error) {
        tally.error = messageOf(error);
        this.schedule.drop(index);
      }
      if (stop(now())) break;
    }
    this.#lane.close();
  }

  #clone(form: MessageFactory, tally: VariantSamples): void {
    const began = now();
    form.post(this.#lane);
    const sent = now();
    this.#lane.got = form.restore(this.#lane.got);
    const arrived = form.converts ? now() : sent;
    if (this.#cold) tally.cold = Math.round(arrived - began);
    this.#cold = false;
    if (!this.keeping) return;
    tally.roundTrip.add(arrived - began);
    tally.send.add(sent - began);
  }
}

export async function measureClones(ask: MeasureAsk, progress: TellProgress): Promise<Measured> {
  const ground = currentPlatform();
  const source = new ValueSource(ask.recipe, ground.postingChangesValues);
  const variants = await prepareVariants(ask.variants, source, true);
  const first = firstOf(
    ask.variants.map(({ mode }) => mode),
    ask.seed,
  );
  const clones = new StructuredCloneLoop(
    variants,
    new Schedule(usableVariants(variants), seedFor(ask.seed, 0), first),
  );
  const watch = ground.watchGc?.() ?? null;
  const began = now();
  const rounds = await interleave(ask, variants, clones, null, progress);
  const elapsed = now() - began;
  const gc = gcOf([watch?.stop() ?? null], elapsed);
  return { type: 'measured', sets: setsOf(ask.variants, variants), rounds, gc };
}
