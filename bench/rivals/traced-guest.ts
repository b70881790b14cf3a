/** In place of `src/app/job/guest-slot.ts` in a bundle of the tool: remembers what each guest timed. */
import { GuestSlot as Slot } from '../../src/app/job/guest-slot.ts';
import type { AnswerTo, GuestRequest, Measured, Variant } from '../../src/model/wire/wire.ts';

/** What one process measured, and when it had ended, ms since the first one was started. */
export interface Traced {
  at: number;
  variants: Variant[];
  measured: Measured;
}

export const traced: Traced[] = [];

let began: number | null = null;

export class GuestSlot extends Slot {
  override async askFresh<A extends GuestRequest>(
    asked: A,
    ownMs: number,
    sender: Parameters<Slot['askFresh']>[2],
  ): Promise<AnswerTo<A['type']>> {
    began ??= performance.now();
    const answer = await super.askFresh(asked, ownMs, sender);
    const request: GuestRequest = asked;
    if (request.type === 'measure')
      traced.push({
        at: performance.now() - began,
        variants: request.variants,
        measured: answer as Measured,
      });
    return answer;
  }
}
