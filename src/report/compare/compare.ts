import type {
  ComparedReport,
  ComparedRun,
  ReportComparison,
  RunComparison,
  StrategyComparison,
} from '../../model/documents/comparison.ts';
import type { RuntimeId } from '../../model/documents/names.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import type { Crossover, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import type { Trial } from '../../model/documents/trial.ts';
import { type Channel, COMPARISON_SCHEMA, runtimeWord } from '../../model/names.ts';
import { emptyRun } from '../../model/report/runs.ts';
import { groupedBy } from '../../model/sums.ts';
import { CHANGES, type Change } from '../../model/vocabulary/words.ts';
import { differenceOf } from '../../stats/evidence.ts';
import { withoutDataKeys } from '../../value/shape/masking.ts';

/** `file`: its name, as the user wrote it. */
export type NamedReport<T = Report> = { file: string; report: T };

// Runs of two results that belong together: the place of a run is its runtime and channel.

interface RunPlace {
  runtime: Pick<RuntimeId, 'name' | 'brand' | 'version'>;
  channel: Channel;
}

const isSamePlace = (a: RunPlace, b: RunPlace): boolean =>
  runtimeWord(a.runtime) === runtimeWord(b.runtime) && a.channel === b.channel;

const isSameVersion = (a: RunPlace, b: RunPlace): boolean =>
  isSamePlace(a, b) && a.runtime.version === b.runtime.version;

/** Pairs each run with the same version, or with the only different version of its runtime that is not paired. */
function paired<T extends RunPlace>(
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

/** Keys of all that ran, with the names of the payloads. @param isCompared true: the version does not matter */
function ranIn(result: Report | SweepReport, isCompared: boolean): [key: string, payload: string][] {
  const keyOf = (kind: string, { runtime, channel }: RunPlace) =>
    JSON.stringify([kind, runtimeWord(runtime), channel, isCompared || runtime.version]);
  if ('points' in result) return result.points.map((one) => [keyOf(kindOf(one), one), one.payload]);
  return result.payloads.flatMap(({ id, runs }) => runs.map((run): [string, string] => [keyOf(id, run), id]));
}

/**
 * Name of the first payload that ran at the same place in both; null if there is none.
 * @param isCompared true: on any version, and a payload that did not run in one of the reports counts too
 */
export function sharedPart(
  a: Report | SweepReport,
  b: Report | SweepReport,
  isCompared: boolean,
): string | null {
  const known = new Set(ranIn(b, isCompared).map(([key]) => key));
  const shared = ranIn(a, isCompared).find(([key]) => known.has(key));
  if (shared !== undefined) return shared[1];
  if (!isCompared || 'points' in a || 'points' in b) return null;
  const byId = payloadsById(b);
  const notRun = a.payloads.find(({ id, runs }) =>
    byId.get(id)?.some((other) => runs.length === 0 || other.runs.length === 0),
  );
  return notRun?.id ?? null;
}

/** A report may have thousands of payloads, and several with the same id. */
const payloadsById = ({ payloads }: Report): Map<string, PayloadReport[]> =>
  groupedBy(payloads, ({ id }) => id);

const compareAll = <T, Of>(
  [first, ...others]: readonly NamedReport<T>[],
  compare: (first: T, other: T) => Of[],
) =>
  others.flatMap(({ report }, at) =>
    compare(first!.report, report).map((one) => ({ ...one, report: at + 1 })),
  );

export const compareReports = (reports: readonly NamedReport[]): ReportComparison => ({
  schema: COMPARISON_SCHEMA,
  reports: reports.map(comparedReport),
  runs: compareAll(reports, compareBoth),
});

const comparedReport = ({ file, report }: NamedReport<Report | SweepReport>): ComparedReport => ({
  file,
  tool: report.tool,
  machine: report.machine,
  seed: report.seed,
  ...('date' in report && report.date !== undefined ? { date: report.date } : {}),
});

/** Pairs of runs, in the order of the payloads of the first report; payloads only of the other report come last. */
function compareBoth(first: Report, other: Report): Omit<RunComparison, 'report'>[] {
  const [ofFirst, ofOther] = [payloadsById(first), payloadsById(other)];
  const ids = new Set([...ofFirst.keys(), ...ofOther.keys()]);
  return [...ids].flatMap((payload) => {
    const [before, now] = [ofFirst.get(payload) ?? [], ofOther.get(payload) ?? []];
    return paired(otherRuns(before, now), otherRuns(now, before)).map((pair) => compareRuns(payload, pair));
  });
}

/** Runs of a payload. If it could not be loaded, one failed run for each run of the other side. */
function otherRuns(own: readonly PayloadReport[], others: readonly PayloadReport[]): Run[] {
  return own.flatMap(({ runs, error }) => {
    if (error === null || runs.length > 0) return runs;
    const asked = others.flatMap((other) => other.runs);
    return asked.map(({ runtime, channel }) => ({ ...emptyRun(runtime, channel), error }));
  });
}

function compareRuns(payload: string, { before, now }: Record<'before' | 'now', Run | null>) {
  const isClassified = before?.verdict && now?.verdict;
  const sides = {
    before: before && comparedRun(before),
    now: now && comparedRun(now),
    came: isClassified ? foundOnlyIn(now, before) : [],
    went: isClassified ? foundOnlyIn(before, now) : [],
    trials: isClassified ? trialComparisons(before.trials, now.trials) : [],
  };
  const channel = (now ?? before)?.channel ?? 'worker';
  return { payload, channel, ...sides, changes: listChanges(sides) };
}

/** Findings that only `one` has, compared without keys that are data, which differ between payloads. */
function foundOnlyIn(one: Run, other: Run) {
  const keysOf = ({ shape, findings }: Run) => {
    const plain = shape ? withoutDataKeys(shape) : (path: string) => path;
    return findings.map(({ rule, path }) => JSON.stringify([rule, plain(path)]));
  };
  const known = new Set(keysOf(other));
  const keys = keysOf(one);
  const only = one.findings.filter((_, at) => !known.has(keys[at] ?? ''));
  return only.map(({ rule, level, path, count }) => ({ rule, level, path, count }));
}

const comparedRun = ({ verdict, shape, advice, ...run }: Run): ComparedRun => ({
  runtime: run.runtime,
  status: run.status,
  error: run.error,
  verdict: verdict && { class: verdict.class, path: verdict.path },
  shape: shape && { nodes: shape.nodes, depth: shape.depth, jsonBytes: shape.jsonBytes },
  copied: run.bytes?.copied ?? null,
  advice: advice && {
    ...{ action: advice.action, remedy: advice.remedy, path: advice.path, gain: advice.gain },
  },
});

/** Facts that are compared, read from one side; null if unknown. */
const FACTS: Partial<Record<Change, (run: ComparedRun) => unknown>> = {
  runtime: ({ runtime }) => runtime.version,
  status: ({ status }) => status,
  class: ({ verdict }) => verdict?.class ?? null,
  path: ({ verdict }) => verdict?.path ?? null,
  values: ({ shape }) => shape?.nodes ?? null,
  depth: ({ shape }) => shape?.depth ?? null,
  'json-bytes': ({ shape }) => shape?.jsonBytes ?? null,
  'wire-bytes': ({ copied }) => copied,
  advice: ({ advice }) => advice && JSON.stringify([advice.action, advice.remedy, advice.path]),
};

type RunSides = Pick<RunComparison, 'before' | 'now' | 'came' | 'went' | 'trials'>;

function listChanges({ before, now, came, went, trials }: RunSides): Change[] {
  if (before === null || now === null) return [];
  return CHANGES.filter((name) => {
    if (name === 'findings') return came.length + went.length > 0;
    if (name === 'rewrites') return trials.some(isChanged);
    const [was, is] = [FACTS[name]?.(before) ?? null, FACTS[name]?.(now) ?? null];
    return was !== null && is !== null && was !== is;
  });
}

function isChanged({ before, now, withConversion }: ReturnType<typeof compareTrial>): boolean {
  if (before === null || now === null) return false;
  return withConversion === 'lower' || withConversion === 'higher' || before.equality !== now.equality;
}

// Compares a rewrite in two reports. Its share of the original's time is from one run, so two shares can be compared.

function trialComparisons(before: readonly Trial[], now: readonly Trial[]) {
  if (before.length === 0 || now.length === 0) return [];
  const [earlier, later] = [byPlan(before), byPlan(now)];
  return [...new Set([...later.keys(), ...earlier.keys()])].map((key) =>
    compareTrial(earlier.get(key) ?? null, later.get(key) ?? null),
  );
}

/** Of plans that differ only in details of the payload, the last stands for all. */
const byPlan = (trials: readonly Trial[]): Map<string, Trial> =>
  new Map(trials.map((one) => [JSON.stringify([one.remedy, one.path, one.plan.form]), one]));

/** Times in place come from few processes, so they are not compared. */
function compareTrial(before: Trial | null, now: Trial | null) {
  const { remedy, path, plan } = (now ?? before) as Trial;
  const [was, is] = [before?.withConversion, now?.withConversion];
  return {
    remedy,
    path,
    ...(plan.form === undefined ? {} : { form: plan.form }),
    before: before && comparedTrial(before),
    now: now && comparedTrial(now),
    withConversion: was && is ? differenceOf(was, is) : null,
  };
}

const comparedTrial = ({ equality, outcome, withConversion }: Trial) => ({
  ...{ equality, outcome, withConversion },
});

export const compareSweeps = (sweeps: readonly NamedReport<SweepReport>[]): ReportComparison => ({
  schema: COMPARISON_SCHEMA,
  reports: sweeps.map(comparedReport),
  runs: [],
  strategies: compareAll(sweeps, strategiesIn),
});

/** Settings that both sweeps must share: the results of a different strategy are not comparable. */
const kindOf = ({ payload, unit, strategy }: Pick<SweepPoint, 'payload' | 'unit' | 'strategy'>): string =>
  JSON.stringify([payload, unit, strategy]);

type StrategySeries = ReturnType<typeof seriesOf>[number];

/** Each strategy on a runtime over a channel: its points with a ratio to `raw`, and its crossovers with it by size. */
function seriesOf({ points, crossovers }: SweepReport) {
  const keyOf = (one: Pick<SweepPoint, 'payload' | 'unit' | 'runtime' | 'channel'>, strategy: string) =>
    JSON.stringify([kindOf({ ...one, strategy }), one.runtime.name, one.runtime.version, one.channel]);
  const compared = points.filter(({ ratio }) => ratio !== null);
  return [...groupedBy(compared, (one) => keyOf(one, one.strategy))].map(([key, own]) => ({
    ...own[0]!,
    points: own,
    crossovers: crossovers
      .filter(
        ({ between, ...place }) =>
          between.includes('raw') && between.some((one) => keyOf(place, one) === key),
      )
      .sort((a, b) => a.size - b.size),
  }));
}

function strategiesIn(first: SweepReport, other: SweepReport): Omit<StrategyComparison, 'report'>[] {
  const earlier = groupedBy(seriesOf(first), kindOf);
  return [...groupedBy(seriesOf(other), kindOf)].flatMap(([kind, later]) =>
    paired(earlier.get(kind) ?? [], later).flatMap(({ before, now }) =>
      before && now ? compareStrategy(before, now) : [],
    ),
  );
}

function compareStrategy(before: StrategySeries, now: StrategySeries): Omit<StrategyComparison, 'report'> {
  const { payload, channel, strategy, unit } = now;
  const earlier = new Map(before.points.map(({ size, ratio }) => [size, ratio]));
  const shares = now.points.flatMap(({ size, ratio }) => {
    const was = earlier.get(size);
    return was && ratio ? [{ size, before: was, now: ratio, change: differenceOf(was, ratio) }] : [];
  });
  const crossovers = compareCrossovers(before.crossovers, now.crossovers);
  return {
    ...{ payload, channel },
    runtime: { name: now.runtime.name, before: before.runtime.version, now: now.runtime.version },
    ...{ strategy, unit, shares, crossovers },
    changed: [...shares, ...crossovers].some(({ change }) => change !== 'unsure'),
  };
}

function compareCrossovers(before: readonly Crossover[], now: readonly Crossover[]) {
  const longest = before.length > now.length ? before : now;
  return longest.map((_, at) => {
    const [was, is] = [before[at] ?? null, now[at] ?? null];
    return {
      before: was && { size: was.size, ci: was.ci },
      now: is && { size: is.size, ci: is.ci },
      change: was && is && differenceOf(was, is),
    };
  });
}
