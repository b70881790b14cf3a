/** What a script gives in place of measuring: times, memory, profiles, bytes. */

import { assertFacts, build, buildPayload } from '../../src/guest/payload/materialize.ts';
import type { Profile } from '../../src/model/documents/profile.ts';
import type {
  BranchBytes,
  Measured,
  MemoryUse,
  Profiled,
  RequestOf,
  SampleSet,
  Variant,
} from '../../src/model/wire/wire.ts';
import { without } from '../../src/stats/branches/branches.ts';
import { seeded, seedFor } from '../../src/stats/intervals/random.ts';

/** ns of one message. */
export interface FakeTime {
  /** NaN: the slice ended before its turn. */
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

function sampleSet(variant: Variant, rounds: number, random: () => number, times: FakeTimes): SampleSet {
  const time = timeOf(variant, times);
  const part = time.roundTrip / 4;
  const taken = (ns: number) =>
    time.error === undefined && !Number.isNaN(ns) ? samples(ns, rounds, times.jitter ?? 0, random) : [];
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
export async function scriptedSamples(request: RequestOf<'measure'>, times: FakeTimes): Promise<Measured> {
  for (const { recipe = request.recipe } of request.variants) {
    if (recipe.facts) await assertFacts(recipe, (await build(recipe)).value);
  }
  const { minRounds, maxRounds, seed } = request;
  const rounds = times.rounds ?? Math.max(minRounds, Math.min(maxRounds, MAX_ROUNDS));
  const sets = request.variants.map((one, i) => sampleSet(one, rounds, seeded(seedFor(seed, i)), times));
  return { type: 'measured', sets, rounds, gc: times.gc ?? null };
}

/** Bytes of a message in flight: by remedy, or 'original'. */
export type FakeMemory = Readonly<Record<string, number>>;

const USUAL_BYTES = 10_000;
const BASELINE_BYTES = 50e6;

export function scriptedMemory({ variant, messages }: RequestOf<'memory'>, memory: FakeMemory): MemoryUse {
  const perMessage = memory[variant.remedy ?? variant.mode] ?? USUAL_BYTES;
  const bytes = perMessage * messages;
  return { type: 'memory-use', bytes, perMessage, messages, baselineBytes: BASELINE_BYTES };
}

const USER_CODE = { name: 'get total', where: 'cart.mjs:12:5' };

/** Names the files of a real profile and writes none. */
export function scriptedProfile({ name }: RequestOf<'profile'>, laidOver: Partial<Profile> = {}): Profiled {
  const files = ['sender', 'receiver'].flatMap((side) => [
    `${name}.${side}.cpuprofile`,
    `${name}.${side}.heapprofile`,
  ]);
  const profile: Profile = {
    by: 'inspector',
    files,
    messages: 1000,
    shares: { clone: 0.75, gc: 0.05, user: 0.125, other: 0.075 },
    top: [
      { side: 'sender', name: 'postMessage', where: null, work: 'clone', ns: 30_000, share: 0.5 },
      { side: 'receiver', name: '(program)', where: null, work: 'clone', ns: 15_000, share: 0.25 },
      { side: 'sender', ...USER_CODE, work: 'user', ns: 7_500, share: 0.125 },
    ],
    missing: [],
    ...laidOver,
  };
  return { type: 'profiled', profile };
}

/** Bytes of JSON text: no engine that the script names is there to serialize. */
export async function jsonBranchBytes({ recipe, paths }: RequestOf<'branch-bytes'>): Promise<BranchBytes> {
  const { value } = await buildPayload(recipe);
  const bytesOf = (part: unknown) => new TextEncoder().encode(JSON.stringify(part)).byteLength;
  const parts = paths.map((path) => bytesOf(without(value, path)));
  return { type: 'branch-bytes', whole: bytesOf(value), without: parts };
}
