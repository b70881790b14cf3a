import type { Measurement } from '../model/documents/measurement.ts';

/** Half of a round trip, unless its answers are empty messages. */
export const oneWayNs = ({
  roundTrip: { median },
  floor,
  answers,
}: Pick<Measurement, 'roundTrip' | 'floor' | 'answers'>): number =>
  answers?.with === 'empty' ? median - floor.roundTrip / 2 : median / 2;
