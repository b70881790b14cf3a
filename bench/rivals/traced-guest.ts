/** In place of `src/app/guest-slot.ts` in a bundle of the tool: remembers what each guest timed. */
import { askFreshGuest as ask } from '../../src/app/guest-slot.ts';
import type { GuestRequest, Measured, Variant } from '../../src/model/wire/wire.ts';

/** What one process measured, and when it had ended, ms since the first one was started. */
export interface Traced {
  at: number;
  variants: Variant[];
  measured: Measured;
}

export * from '../../src/app/guest-slot.ts';
export const traced: Traced[] = [];

let began: number | null = null;

export const askFreshGuest: typeof ask = async (...asked) => {
  began ??= performance.now();
  const answer = await ask(...asked);
  const request: GuestRequest = asked[0];
  if (request.type === 'measure')
    traced.push({ at: performance.now() - began, variants: request.variants, measured: answer as Measured });
  return answer;
};
