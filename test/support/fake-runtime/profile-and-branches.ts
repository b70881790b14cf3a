import { without } from '../../../src/core/branches/without.ts';
import type { Profile } from '../../../src/model/documents/profile.ts';
import type { BranchBytes, GuestRequest, Profiled } from '../../../src/model/wire/wire.ts';

/** Names the files of a real profile and writes none. */
export function fakeProfiled(
  { name }: Extract<GuestRequest, { type: 'profile' }>,
  laidOver: Partial<Profile> = {},
): Profiled {
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
      {
        side: 'sender',
        name: 'get total',
        where: 'cart.mjs:12:5',
        work: 'user',
        ns: 7_500,
        share: 0.125,
      },
    ],
    missing: [],
    ...laidOver,
  };
  return { type: 'profiled', profile };
}

/** Bytes of the JSON text: the payloads of a fake runtime are JSON values. */
export function fakeBranchBytes(paths: readonly string[], value: unknown): BranchBytes {
  const bytesOf = (one: unknown) => new TextEncoder().encode(JSON.stringify(one)).byteLength;
  return {
    type: 'branch-bytes',
    whole: bytesOf(value),
    without: paths.map((path) => bytesOf(without(value, path))),
  };
}
