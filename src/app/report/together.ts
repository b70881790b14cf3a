/** Combines several stored results into one document: joined or compared, depending on their data. */

import {
  comparablePayload,
  comparableSeries,
  compareReports,
  compareSweeps,
  isSameVersion,
  type NamedReport,
  type Some,
  sharedPayload,
} from '../../core/reports/compare.ts';
import { COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from '../../model/document-ids.ts';
import type { ReportComparison } from '../../model/documents/comparison.ts';
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { usage } from '../../model/errors.ts';

/** True if two reports agree in the facts that a joined report states once. */
const isOneSetting = (a: Report, b: Report): boolean =>
  JSON.stringify([a.machine, a.tool, a.seed]) === JSON.stringify([b.machine, b.tool, b.seed]);

/** Joins reports into one: the runs of the same payload are merged. The date is kept if all reports agree on it. */
export function joinReports([first, ...others]: Some<Report>): Report {
  const { date, recordings, ...one } = first;
  const all = [first, ...others];
  // Several reports may analyze the same recording.
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

/** Merges the runs of equal payloads. Payloads keep the order of their first appearance. */
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

/** True if two sweeps agree in the facts that a joined sweep states once. */
const isOneSweep = (a: SweepReport, b: SweepReport): boolean => pickSetting(a) === pickSetting(b);

const pickSetting = ({ machine, tool, seed, preset, title, dimension, folklore }: SweepReport) =>
  JSON.stringify([machine, tool, seed, preset, title, dimension, folklore]);

const pickSeries = ({ runtime, channel, payload }: SweepPoint) =>
  `${payload} on ${runtime.name}@${runtime.version} over ${channel}`;

/** First series that both sweeps contain; null if there is none. */
function sharedSeries(a: SweepReport, b: SweepReport): string | null {
  const known = new Set(a.points.map(pickSeries));
  return b.points.map(pickSeries).find((series) => known.has(series)) ?? null;
}

export function joinSweeps([first, ...others]: Some<SweepReport>): SweepReport {
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

export type StoredResult = Report | SweepReport | ReportComparison;

export type Stored = NamedReport<StoredResult>;

const unfit = (detail: string) => usage(`report: ${detail}`);

const KINDS = {
  [REPORT_SCHEMA]: 'a report',
  [SWEEP_SCHEMA]: 'a sweep',
  [COMPARISON_SCHEMA]: 'a comparison',
} as const satisfies Record<StoredResult['schema'], string>;

/**
 * @param join true: reports of one payload on several versions of a runtime are put side by side, not compared
 * @throws ToolError 'usage' if they are neither parts of one run nor share anything
 */
export function together(stored: Some<Stored>, join: boolean): StoredResult {
  const [{ report, file }, ...others] = stored;
  if (others.length === 0) return report;
  const other = others.find((one) => one.report.schema !== report.schema);
  if (other !== undefined) {
    const kinds = `${file} is ${KINDS[report.schema]} and ${other.file} ${KINDS[other.report.schema]}`;
    throw unfit(`${kinds}. Name files of one kind`);
  }
  if (isAll<Report>(stored, REPORT_SCHEMA)) return reportsTogether(stored, join);
  if (isAll<SweepReport>(stored, SWEEP_SCHEMA)) return sweepsTogether(stored, join);
  throw unfit(`${file} is a comparison already. Name the reports that it compares`);
}

const isAll = <T extends StoredResult>(
  stored: Some<Stored>,
  schema: T['schema'],
): stored is Some<Stored> & Some<NamedReport<T>> => stored.every(({ report }) => report.schema === schema);

function reportsTogether(stored: Some<NamedReport>, join: boolean): Report | ReportComparison {
  if (isCompared(stored, join, comparablePayload)) return compareReports(stored);
  const what = join ? 'cannot be joined' : 'have no payload and runtime in common, and cannot be joined';
  refusePairs(stored, (a, b) => {
    if (isOneSetting(a, b)) return null;
    return `${what}: they differ in machine, version of clone-prof or seed`;
  });
  refusePairs(stored, (a, b) => {
    const both = sharedPayload(a, b, isSameVersion);
    return (
      both && `cannot be joined: both have ${both} on the same runtime. Without --join they are compared`
    );
  });
  return joinReports(reportsIn(stored));
}

function sweepsTogether(
  stored: Some<NamedReport<SweepReport>>,
  join: boolean,
): SweepReport | ReportComparison {
  if (isCompared(stored, join, comparableSeries)) return compareSweeps(stored);
  refusePairs(stored, (a, b) => {
    if (!isOneSweep(a, b))
      return 'cannot be joined: they differ in payload, machine, version of clone-prof or seed';
    const both = sharedSeries(a, b);
    return both && `cannot be joined: both have ${both}. Without --join they are compared`;
  });
  return joinSweeps(reportsIn(stored));
}

const reportsIn = <T>([first, ...others]: Some<NamedReport<T>>): Some<T> => [
  first.report,
  ...others.map(({ report }) => report),
];

/**
 * @param inBoth returns the part that two results have in common, or null
 * @throws ToolError 'usage' if only some of the results have a part in common with the first
 */
function isCompared<T>(
  [first, ...others]: Some<NamedReport<T>>,
  join: boolean,
  inBoth: (a: T, b: T) => string | null,
): boolean {
  if (join) return false;
  const apart = others.filter(({ report }) => inBoth(first.report, report) === null);
  const [stray] = apart;
  if (stray === undefined || apart.length === others.length) return stray === undefined;
  const detail = `${stray.file} has no payload on a runtime of ${first.file}, which it would be compared with`;
  throw unfit(`${detail}. Name only reports to compare, or only ones to join`);
}

/** @throws ToolError 'usage' for the first two that do not fit each other */
function refusePairs<T>(stored: Some<NamedReport<T>>, whyNot: (a: T, b: T) => string | null): void {
  for (const [at, one] of stored.entries()) {
    for (const other of stored.slice(at + 1)) {
      const why = whyNot(one.report, other.report);
      if (why !== null) throw unfit(`${one.file} and ${other.file} ${why}`);
    }
  }
}
