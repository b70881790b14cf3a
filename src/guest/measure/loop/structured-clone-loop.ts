import { seedFor } from '../../../core/stats/random.ts';
import type { Measured } from '../../../model/wire.ts';
import { groundHere } from '../../platform/platform.ts';
import { sayingOf } from '../../user-code/user-code.ts';
import type { MeasureAsk, TellProgress } from '../measure.ts';
import { CloneLane } from '../peer/clone-endpoint.ts';
import { now } from './clock.ts';
import { type Heat, race, type Stop } from './interleave.ts';
import type { Form } from './message-factory.ts';
import { turnOfEventLoop } from './one-way-loop.ts';
import { gcOf, setsOf } from './results.ts';
import type { Tally } from './samples.ts';
import { firstOf, Schedule } from './schedule.ts';
import { Source } from './value-source.ts';
import { type Entrants, enter, fit } from './variants.ts';

/**
 * No peer: one call is both ways of the serializer, so it counts as the trip and as what blocks the sender; with
 * conversion the trip ends when the clone is restored. There is no receiver to time.
 */
export class Clones implements Heat {
  keeping = false;
  readonly schedule: Schedule;
  readonly #entrants: Entrants;
  readonly #lane = new CloneLane();
  #cold = true;

  constructor(entrants: Entrants, schedule: Schedule) {
    this.#entrants = entrants;
    this.schedule = schedule;
  }

  async block(stop: Stop): Promise<void> {
    // Lets what waits in the event loop have its turn: the collector's finalizers, the line to the host.
    await turnOfEventLoop();
    while (!this.schedule.empty) {
      const index = this.schedule.current;
      const form = this.#entrants.forms[index] as Form;
      const tally = this.#entrants.tallies[index] as Tally;
      try {
        if (form.spent) await form.fill();
        this.#clone(form, tally);
        this.schedule.advance();
      } catch (error) {
        tally.error = sayingOf(error);
        this.schedule.drop(index);
      }
      if (stop(now())) break;
    }
    this.#lane.close();
  }

  #clone(form: Form, tally: Tally): void {
    const began = now();
    form.post(this.#lane);
    const sent = now();
    this.#lane.got = form.undo(this.#lane.got);
    const arrived = form.converts ? now() : sent;
    if (this.#cold) tally.cold = Math.round(arrived - began);
    this.#cold = false;
    if (!this.keeping) return;
    tally.roundTrip.add(arrived - began);
    tally.send.add(sent - began);
  }
}

export async function measureClones(ask: MeasureAsk, progress: TellProgress): Promise<Measured> {
  const ground = groundHere();
  const source = new Source(ask.recipe, ground.leavesTraces);
  const entrants = await enter(ask.contestants, source, true);
  const first = firstOf(
    ask.contestants.map(({ mode }) => mode),
    ask.seed,
  );
  const clones = new Clones(entrants, new Schedule(fit(entrants), seedFor(ask.seed, 0), first));
  const watch = ground.watchGc?.() ?? null;
  const began = now();
  const rounds = await race(ask, entrants, clones, null, progress);
  const elapsed = now() - began;
  const gc = gcOf([watch?.stop() ?? null], elapsed);
  return { type: 'measured', sets: setsOf(ask.contestants, entrants), rounds, gc };
}
