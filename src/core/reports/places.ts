/** Finds payloads and runs of two reports that belong together: the place of a run is its runtime and channel. */

import type { RuntimeId } from '../../model/documents/names.ts';
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import { type Channel, runtimeWord } from '../../model/names.ts';

interface RunPlace {
  runtime: Pick<RuntimeId, 'name' | 'brand' | 'version'>;
  channel: Channel;
}

export const isSamePlace = (a: RunPlace, b: RunPlace): boolean =>
  runtimeWord(a.runtime) === runtimeWord(b.runtime) && a.channel === b.channel;

export const isSameVersion = (a: RunPlace, b: RunPlace): boolean =>
  isSamePlace(a, b) && a.runtime.version === b.runtime.version;

/** Pairs each run with the same version, or with the only different version of its runtime that is not paired. */
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

/** Payloads of a report by id. A report may have thousands of payloads, and several with the same id. */
export function payloadsById({ payloads }: Report): Map<string, PayloadReport[]> {
  const byId = new Map<string, PayloadReport[]>();
  for (const payload of payloads) {
    const same = byId.get(payload.id);
    if (same) same.push(payload);
    else byId.set(payload.id, [payload]);
  }
  return byId;
}

/** The first payload that both reports have with runs that fulfil `isSame`; null if there is none. */
export function sharedPayload(a: Report, b: Report, isSame = isSamePlace): string | null {
  const byId = payloadsById(b);
  const shared = a.payloads.find(({ id, runs }) =>
    byId.get(id)?.some((other) => runs.some((run) => other.runs.some((one) => isSame(run, one)))),
  );
  return shared?.id ?? null;
}

/** The first payload that can be compared: a shared payload, or a payload that one report could not load. */
export function comparablePayload(a: Report, b: Report): string | null {
  const failed = (report: Report, other: Report) => {
    const ids = new Set(other.payloads.map(({ id }) => id));
    return report.payloads.find(({ id, error }) => error !== null && ids.has(id));
  };
  return sharedPayload(a, b) ?? (failed(a, b) ?? failed(b, a))?.id ?? null;
}
