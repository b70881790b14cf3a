import { messageOf } from '../../user-code/user-code.ts';
import type { Endpoint } from '../peer/endpoint.ts';
import type { PeerFailures } from '../peer/failures.ts';
import { type Instructions, PREPARE } from '../peer/instructions.ts';
import type { PeerSession } from '../peer/peer-session.ts';
import { now } from './clock.ts';
import type { StopWhen, TimedLoop } from './interleave.ts';
import type { MessageFactory } from './message-factory.ts';
import type { VariantSamples } from './samples.ts';
import type { Schedule } from './schedule.ts';
import type { PreparedVariants } from './variants.ts';

/**
 * Round trips as a program sees them: post, go back to the event loop, be called with the echo. A state machine in the
 * message listener: no promise, closure or object per message, since a hand-written ping-pong has none either.
 */
export class RoundTripLoop implements TimedLoop {
  keeping = false;
  readonly schedule: Schedule;
  readonly #lane: Endpoint;
  readonly #orders: Instructions;
  readonly #faults: PeerFailures;
  readonly #forms: readonly MessageFactory[];
  readonly #tallies: readonly VariantSamples[];
  #stop: StopWhen = () => true;
  #done: () => void = () => undefined;
  /** Set while the peer is asked to build a value: called with what went wrong there. */
  #heard: ((fault: string | null) => void) | null = null;
  #turn = 0;
  /** Only where there are no takes to time it in silence. */
  readonly #timesSend: boolean;
  #cold = true;
  #began = 0;
  #sent = 0;

  constructor(
    { endpoint: lane, instructions: orders, failures: faults, shared: control }: PeerSession,
    variants: PreparedVariants,
    schedule: Schedule,
  ) {
    this.#lane = lane;
    this.#orders = orders;
    this.#faults = faults;
    this.#timesSend = control === null;
    this.#forms = variants.factories;
    this.#tallies = variants.samples;
    this.schedule = schedule;
  }

  run(stop: StopWhen): Promise<void> {
    this.#stop = stop;
    this.#lane.onMessage = (data) => this.#arrive(data);
    this.#lane.onMessageError = (why) => this.#miss(why);
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#begin();
    });
  }

  #begin(): void {
    while (!this.schedule.empty) {
      this.#turn = this.schedule.current;
      const form = this.#forms[this.#turn] as MessageFactory;
      if (form.consumed || this.#orders.announces) {
        void this.#prepare(form);
        return;
      }
      if (this.#send(form)) return;
    }
    this.#done();
  }

  /** Both sides build at the same time; the turn begins when both are done. */
  async #prepare(form: MessageFactory): Promise<void> {
    const theirs = new Promise<string | null>((resolve) => {
      this.#heard = resolve;
    });
    this.#orders.post(this.#lane, PREPARE, this.#turn);
    const ours = form.consumed ? form.fill().then(() => null, messageOf) : null;
    const faults = await Promise.all([ours, theirs]);
    const fault = faults[0] ?? faults[1];
    if (fault !== null) this.#miss(fault);
    else if (!this.#send(form)) this.#begin();
  }

  /** False when it could not be sent, so that nothing is under way. */
  #send(form: MessageFactory): boolean {
    this.#orders.expect(this.#turn);
    try {
      this.#began = now();
      form.post(this.#lane);
      if (this.#timesSend) this.#sent = now();
      return true;
    } catch (error) {
      this.#drop(messageOf(error));
      return false;
    }
  }

  #arrive(data: unknown): void {
    if (this.#heard) {
      const heard = this.#heard;
      this.#heard = null;
      heard(this.#faults.read(data));
      return;
    }
    let arrived = 0;
    let fault: string | null = null;
    try {
      (this.#forms[this.#turn] as MessageFactory).restore(data);
      arrived = now();
    } catch (error) {
      fault = messageOf(error);
    }
    fault = this.#faults.read(data) ?? fault;
    if (fault !== null) this.#miss(fault);
    else this.#keep(arrived);
  }

  #keep(arrived: number): void {
    const tally = this.#tallies[this.#turn] as VariantSamples;
    const trip = arrived - this.#began;
    if (this.#cold) tally.cold = Math.round(trip);
    this.#cold = false;
    if (this.keeping) {
      tally.roundTrip.add(trip);
      if (this.#timesSend) tally.send.add(this.#sent - this.#began);
    }
    this.schedule.advance();
    if (this.#stop(arrived)) this.#done();
    else this.#begin();
  }

  #miss(reason: string): void {
    this.#drop(reason);
    if (this.#stop(now())) this.#done();
    else this.#begin();
  }

  #drop(reason: string): void {
    (this.#tallies[this.#turn] as VariantSamples).error = reason;
    this.schedule.drop(this.#turn);
  }
}
