import type { SweepPoint, SweepReport } from '../../model/documents/sweep.ts';

/** What must be the same of sweeps that become one, which names it once. */
export const isOneSweep = (a: SweepReport, b: SweepReport): boolean => settingOf(a) === settingOf(b);

const settingOf = ({ machine, tool, seed, preset, title, dimension, folklore }: SweepReport) =>
  JSON.stringify([machine, tool, seed, preset, title, dimension, folklore]);

const seriesOf = ({ runtime, channel, payload }: SweepPoint) =>
  `${payload} on ${runtime.name}@${runtime.version} over ${channel}`;

/** The first series that both have; null where there is none. */
export function sharedSeries(a: SweepReport, b: SweepReport): string | null {
  const known = new Set(a.points.map(seriesOf));
  return b.points.map(seriesOf).find((series) => known.has(series)) ?? null;
}

/** The series of all, as one sweep. */
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
