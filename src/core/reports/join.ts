import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { SweepPoint, SweepReport } from '../../model/documents/sweep.ts';

/** What must be the same of reports that become one, which names it once. */
export const isOneSetting = (a: Report, b: Report): boolean =>
  JSON.stringify([a.machine, a.tool, a.seed]) === JSON.stringify([b.machine, b.tool, b.seed]);

/** As one report: a payload of several has the runs of all. The day is told where it is the same. */
export function joinReports([first, ...others]: readonly [Report, ...Report[]]): Report {
  const { date, recordings, ...one } = first;
  const all = [first, ...others];
  // One recording may be an input of several.
  const inputs = all.flatMap((report) => report.recordings ?? []);
  const recorded = [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()];
  return {
    ...one,
    ...(date !== undefined && others.every((other) => other.date === date) ? { date } : {}),
    ...(recorded.length > 0 ? { recordings: recorded } : {}),
    payloads: joinPayloads(all.flatMap((report) => report.payloads)),
  };
}

const payloadKey = ({ id, source }: PayloadReport) => JSON.stringify([id, source]);

/** In the order in which they come first. */
function joinPayloads(payloads: readonly PayloadReport[]): PayloadReport[] {
  const byKey = new Map<string, PayloadReport>();
  for (const next of payloads) {
    const key = payloadKey(next);
    const known = byKey.get(key);
    const joined = known && { error: known.error && next.error, runs: [...known.runs, ...next.runs] };
    byKey.set(key, { ...(known ?? next), ...joined });
  }
  return [...byKey.values()];
}

/** What must be the same of sweeps that become one, which names it once. */
export const isOneSweep = (a: SweepReport, b: SweepReport): boolean => pickSetting(a) === pickSetting(b);

const pickSetting = ({ machine, tool, seed, preset, title, dimension, folklore }: SweepReport) =>
  JSON.stringify([machine, tool, seed, preset, title, dimension, folklore]);

const pickSeries = ({ runtime, channel, payload }: SweepPoint) =>
  `${payload} on ${runtime.name}@${runtime.version} over ${channel}`;

/** The first series that both have; null where there is none. */
export function sharedSeries(a: SweepReport, b: SweepReport): string | null {
  const known = new Set(a.points.map(pickSeries));
  return b.points.map(pickSeries).find((series) => known.has(series)) ?? null;
}

export function joinSweeps([first, ...others]: readonly [SweepReport, ...SweepReport[]]): SweepReport {
  const all = [first, ...others];
  return {
    ...first,
    points: all.flatMap(({ points }) => points),
    crossovers: all.flatMap(({ crossovers }) => crossovers),
    standings: all.flatMap(({ standings }) => standings),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    interrupted: all.some(({ interrupted }) => interrupted),
  };
}
