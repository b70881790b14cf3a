import type { Measurement } from '../model/documents/measurement.ts';

/** Time of one direction, ns: half of the round trip, or the round trip minus the answer if answers are empty. */
export const oneWayNs = ({
  roundTrip: { median },
  floor,
  answers,
}: Pick<Measurement, 'roundTrip' | 'floor' | 'answers'>): number =>
  answers?.with === 'empty' ? median - floor.roundTrip / 2 : median / 2;
