import type { Measured } from '../../../src/model/wire/wire.ts';

/** Round trips in us by variant: a median with a noise of 1 %, the messages themselves, or the error. */
export type Times = Readonly<Record<string, number | readonly number[] | string>>;

export function measuredProcess(nth: number, times: Times, rounds: number): Measured {
  const sets = Object.entries(times).map(([variant, time]) => {
    const error = typeof time === 'string' ? time : null;
    return { variant, roundTrip: roundTrips(time, nth, rounds), send: [], receive: [], cold: null, error };
  });
  return { type: 'measured', sets, rounds, gc: null };
}

function roundTrips(time: Times[string], nth: number, rounds: number): number[] {
  if (typeof time === 'string') return [];
  if (typeof time !== 'number') return time.map((one) => 1000 * one);
  return Array.from({ length: rounds }, (_, at) => 1000 * time * (1 + (((at + nth) * 37) % 11) / 500));
}
