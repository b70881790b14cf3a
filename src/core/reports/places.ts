/** Where a run belongs: its runtime and its channel. */

import type { RuntimeId } from '../../model/documents/names.ts';
import type { Report } from '../../model/documents/report.ts';
import { type Channel, runtimeWord } from '../../model/names.ts';

interface RunPlace {
  runtime: Pick<RuntimeId, 'name' | 'brand' | 'version'>;
  channel: Channel;
}

export const isSamePlace = (a: RunPlace, b: RunPlace): boolean =>
  runtimeWord(a.runtime) === runtimeWord(b.runtime) && a.channel === b.channel;

export const isSameVersion = (a: RunPlace, b: RunPlace): boolean =>
  isSamePlace(a, b) && a.runtime.version === b.runtime.version;

/** The same version, else the only other one of that runtime that has no such twin. */
export function paired<T extends RunPlace>(
  before: readonly T[],
  now: readonly T[],
): { before: T | null; now: T | null }[] {
  const single = before.filter((one) => !now.some((other) => isSameVersion(one, other)));
  const pairs = now.map((one) => {
    const [candidate = null, ...more] = single.filter((other) => isSamePlace(one, other));
    const twin = before.find((other) => isSameVersion(one, other));
    return { before: twin ?? (more.length === 0 ? candidate : null), now: one };
  });
  const gone = before.filter((one) => !pairs.some((pair) => pair.before === one));
  return [...pairs, ...gone.map((one) => ({ before: one, now: null }))];
}

/** The first payload that stands in both with runs for which `isSame` holds; null where there is none. */
export function sharedPayload(a: Report, b: Report, isSame = isSamePlace): string | null {
  const shared = a.payloads.find(({ id, runs }) =>
    b.payloads.some(
      (other) => other.id === id && runs.some((run) => other.runs.some((one) => isSame(run, one))),
    ),
  );
  return shared?.id ?? null;
}

/** What can be compared: as above, or a payload that one of the two could not load. */
export function comparablePayload(a: Report, b: Report): string | null {
  const failed = (report: Report, other: Report) =>
    report.payloads.find(({ id, error }) => error !== null && other.payloads.some((one) => one.id === id));
  return sharedPayload(a, b) ?? (failed(a, b) ?? failed(b, a))?.id ?? null;
}
