/** Where a run belongs: its runtime and its channel. */
import { runtimeWord } from '../../model/names.ts';
import type { Report, Run } from '../../model/report/report.ts';

type Place = Pick<Run, 'runtime' | 'channel'>;

export const isSamePlace = (a: Place, b: Place): boolean =>
  runtimeWord(a.runtime) === runtimeWord(b.runtime) && a.channel === b.channel;

export const isSameVersion = (a: Place, b: Place): boolean =>
  isSamePlace(a, b) && a.runtime.version === b.runtime.version;

/** The first payload that stands in both with runs for which `isSame` holds; null where there is none. */
export function sharedPayload(a: Report, b: Report, isSame = isSamePlace): string | null {
  const shared = a.payloads.find(({ id, runs }) =>
    b.payloads.some(
      (other) => other.id === id && runs.some((run) => other.runs.some((one) => isSame(run, one))),
    ),
  );
  return shared?.id ?? null;
}
