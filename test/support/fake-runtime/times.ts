import { seeded, seedFor } from '../../../src/core/stats/random.ts';
import type { GuestRequest, Measured, SampleSet, Variant } from '../../../src/model/wire/wire.ts';

/** ns of one message. */
export interface FakeTime {
  roundTrip: number;
  /** A quarter of the round trip by default. */
  send?: number;
  receive?: number;
  error?: string;
}

export interface FakeTimes {
  /** By variant id, by "<remedy>/<mode>", by remedy, or by mode; the first of these that is there. */
  of?: Readonly<Record<string, FakeTime>>;
  /** Each sample is within this fraction of its time: 0.02 is +-2 %. Default 0. */
  jitter?: number;
  /** Default: what `minRounds` and `maxRounds` of the request allow, 40 at most. */
  rounds?: number;
  cold?: number;
  gc?: Measured['gc'];
}

const DEFAULT: Record<Variant['mode'], FakeTime> = {
  floor: { roundTrip: 10_000, send: 1_000, receive: 1_000 },
  original: { roundTrip: 100_000 },
  'in-place': { roundTrip: 100_000 },
  'with-conversion': { roundTrip: 100_000 },
  without: { roundTrip: 60_000 },
  'other-channel': { roundTrip: 100_000 },
  'after-receiving': { roundTrip: 100_000 },
};
const MAX_ROUNDS = 40;

function timeOf({ id, remedy, mode }: Variant, times: FakeTimes): FakeTime {
  const names = [id, `${remedy}/${mode}`, remedy ?? mode, mode];
  const name = names.find((n) => times.of && Object.hasOwn(times.of, n));
  return name === undefined ? DEFAULT[mode] : times.of![name]!;
}

function samples(time: number, count: number, jitter: number, random: () => number): number[] {
  return Array.from({ length: count }, () => Math.round(time * (1 + jitter * (2 * random() - 1))));
}

function sampleSet(
  variant: Variant,
  index: number,
  rounds: number,
  seed: number,
  times: FakeTimes,
): SampleSet {
  const time = timeOf(variant, times);
  const random = seeded(seedFor(seed, index));
  const part = time.roundTrip / 4;
  const taken = (ns: number) =>
    time.error === undefined ? samples(ns, rounds, times.jitter ?? 0, random) : [];
  return {
    variant: variant.id,
    roundTrip: taken(time.roundTrip),
    send: taken(time.send ?? part),
    receive: taken(time.receive ?? part),
    cold: variant.mode === 'original' ? (times.cold ?? time.roundTrip * 10) : null,
    error: time.error ?? null,
  };
}

/** Samples out of a table of times and the request's own seed: the same request gives the same samples. */
export function fakeMeasured(ask: Extract<GuestRequest, { type: 'measure' }>, times: FakeTimes): Measured {
  const rounds = times.rounds ?? Math.max(ask.minRounds, Math.min(ask.maxRounds, MAX_ROUNDS));
  const sets = ask.variants.map((variant, i) => sampleSet(variant, i, rounds, ask.seed, times));
  return { type: 'measured', sets, rounds, gc: times.gc ?? null };
}
