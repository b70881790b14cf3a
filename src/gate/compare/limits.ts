import type { BaselineFacts, Limit } from '../../model/documents/baseline.ts';
import type { LimitFact, LimitResult } from '../../model/documents/check.ts';
import type { Finding } from '../../model/documents/classification.ts';
import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { type Checked, FACT_LIMITS, LIMIT_ROWS } from '../../model/gate/limits.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import type { CheckEntry } from '../../model/run/check-config.ts';
import type { MemoryUse } from '../../model/wire/wire.ts';
import { lackOf, lackText } from '../../stats/evidence.ts';
import { lowerMedian } from '../../stats/intervals/intervals.ts';
import { MEMORY_NOISE_BYTES } from '../../stats/race/judge.ts';
import { parsePath, pathFits } from '../../value/read/paths.ts';
import { has, isBuffer } from '../../value/shape/shape-facts.ts';
import { amplificationOf, bytesOf, causeOfClass, deepest, heaviest, mostNumerous } from './baseline.ts';

/** An entry after loading its payload and finding its runtime. */
export interface NamedEntry extends CheckEntry {
  id: string;
  /** "bun@1.4.5"; the name in the config if the runtime was not found. */
  runtime: string;
}

/** Result of one limit, or of one path that breaks it. The limit has the default of `expected` and `level`. */
export type LimitCheck = Pick<LimitResult, 'outcome' | 'actual' | 'path'> & Partial<LimitResult>;

export const unmeasured = (reason: string): LimitCheck => ({
  outcome: 'not-measured',
  actual: null,
  path: null,
  reason,
});

/** A limit of a preset that cannot be measured only warns. */
export const softly = ({ preset }: Limit, reason: string): LimitCheck => ({
  ...unmeasured(reason),
  ...(preset ? { outcome: 'unsure' as const, level: 'warn' as const } : {}),
});

export const withoutBaseline = (id: string): LimitCheck =>
  unmeasured(`${id} is not in the baseline: run clone-prof baseline and commit the file`);

/** Expected value of a limit: 0 for limits that count violations; null if it depends on the baseline. */
function expectedOf(name: Checked, { value, against }: Limit): LimitFact {
  if (LIMIT_ROWS[name].none !== undefined) return 0;
  return against || value === true ? null : value;
}

export const resultOf = (
  { id: payload, runtime, input: file }: NamedEntry,
  { channel }: Run,
  name: Checked,
  limit: Limit,
  { outcome, actual, path, ...check }: LimitCheck,
): LimitResult => ({
  ...{ payload, runtime, channel, limit: name, level: limit.level, outcome, written: limit.text },
  ...{ against: limit.against ?? null, expected: expectedOf(name, limit), actual, was: null, change: null },
  ...{ path, example: null, rule: null, file, line: null },
  ...check,
});

/** Knowledge of the other side about a payload; `before`: its shape, if it is at hand. */
type Known = { was: BaselineFacts | null; before?: Shape | null };
type LimitCase = Known & { run: Run; limit: Limit; entry: NamedEntry };

const rank = (name: CostClass) => COST_CLASSES.indexOf(name);
const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toFixed(2)));

/** Check of a number against `limit.value`, or against the fact `name` of the other side plus that fraction. */
const atMost =
  (
    name: 'bytes' | 'nodes' | 'depth' | null,
    factOf: (one: LimitCase) => number | null | undefined,
    placeOf: (shape: Shape, one: LimitCase) => string | null,
  ) =>
  (one: LimitCase): LimitCheck[] => {
    const { limit, entry, run } = one;
    const value = factOf(one) ?? null;
    if (value === null && run.verdict?.class === 'rejected') return [softly(limit, 'it cannot be posted')];
    if (value === null) return [softly(limit, 'the engine does not report it')];
    if (limit.against && one.was === null) return [withoutBaseline(entry.id)];
    const was = (name && one.was?.[name]) ?? null;
    if (limit.against && was === null) return [softly(limit, 'the baseline does not know it')];
    const own = Number(limit.value);
    // Rounded down to a whole number. The small addend corrects for the binary fraction of 10 %.
    const most = limit.against ? Math.floor((was ?? 0) * (1 + own) + 1e-6) : own;
    const holds = value <= most;
    const place = holds ? null : ((run.shape && placeOf(run.shape, one)) ?? '$');
    return [
      {
        ...{ outcome: holds ? 'passed' : 'failed', expected: most, actual: rounded(value), path: place },
        ...(was !== null && { was: rounded(was), change: was === 0 ? null : value / was }),
      },
    ];
  };

export const NONE: LimitCheck = { outcome: 'passed', actual: 0, path: null };

const brokenAt = (found: readonly (Pick<Finding, 'path' | 'example' | 'count'> & { rule?: string })[]) =>
  found.length === 0
    ? [NONE]
    : found.map(({ count: actual, path, example, rule = null }): LimitCheck => {
        return { outcome: 'failed', actual, path, example, rule };
      });

const findingsOf = ({ findings }: Run, wanted: Finding['level']) =>
  findings.filter(({ level }) => level === wanted);

/** A rejection by the engine counts even if no rule explains it. */
function checkRejected({ run }: LimitCase): LimitCheck[] {
  const isExplained = findingsOf(run, 'rejected').length > 0;
  if (isExplained || run.verdict?.class !== 'rejected') return brokenAt(findingsOf(run, 'rejected'));
  return [{ outcome: 'failed', actual: 1, path: '$', reason: 'refused by the engine' }];
}

function checkClass({ run, limit, was, entry }: LimitCase): LimitCheck[] {
  const { verdict } = run;
  if (!verdict) return [unmeasured('no verdict')];
  if (limit.against && !was) return [withoutBaseline(entry.id)];
  const allowed = limit.against ? (was?.class ?? 'shared') : (limit.value as CostClass);
  const holds = rank(verdict.class) <= rank(allowed);
  return [
    {
      outcome: holds ? 'passed' : 'failed',
      expected: allowed,
      actual: verdict.class,
      ...(holds ? { path: null } : causeOfClass(run, was)),
      was: was?.class ?? null,
    },
  ];
}

const unlisted = ({ patterns }: Shape, { transfer }: NamedEntry): Facts[] =>
  patterns.filter((row) => isTransferable(row) && !isListed(row, transfer));

/** Every transferable buffer must be among the paths that the program lists. */
function checkTransfer({ run, entry }: LimitCase): LimitCheck[] {
  if (!run.shape) return [unmeasured('no shape')];
  return brokenAt(
    unlisted(run.shape, entry).map(({ pattern: path, example, count }) => ({ path, example, count })),
  );
}

const amplified = ({ run: { shape }, entry }: LimitCase) =>
  shape && amplificationOf(shape, (row) => isListed(row, entry.transfer));

const CHECKS: Record<(typeof FACT_LIMITS)[number], (one: LimitCase) => LimitCheck[]> = {
  class: checkClass,
  maxBytes: atMost(
    'bytes',
    ({ run }) => bytesOf(run),
    // If nothing grew, a buffer is copied now that was moved before.
    (shape, { limit, was, before, entry }) =>
      heaviest(shape, was, before) ??
      heaviest(limit.against ? { ...shape, patterns: unlisted(shape, entry) } : shape, null),
  ),
  maxNodes: atMost(
    'nodes',
    ({ run }) => run.shape?.nodes,
    (shape, { limit, was, before }) => (limit.against ? heaviest(shape, was, before) : mostNumerous(shape)),
  ),
  maxDepth: atMost('depth', ({ run }) => run.shape?.depth, deepest),
  maxAmplification: atMost(
    null,
    (one) => amplified(one)?.ratio,
    (_, one) => amplified(one)?.path ?? null,
  ),
  lossy: ({ run }) => brokenAt(findingsOf(run, 'lossy')),
  rejected: checkRejected,
  transfer: checkTransfer,
};

/** Reason why nothing can be checked or proven of a run; null if it did not fail. */
export const failureOf = ({ status, error }: Run): string | null =>
  status === 'failed' ? (error?.message ?? 'the run failed') : null;

export function checkFacts(entry: NamedEntry, run: Run, known: Known): LimitResult[] {
  const failure = failureOf(run);
  return FACT_LIMITS.flatMap((name) => {
    const limit = entry.limits[name];
    if (!limit || limit.level === 'off') return [];
    const checks = failure === null ? CHECKS[name]({ run, limit, entry, ...known }) : [unmeasured(failure)];
    return checks.map((check) => resultOf(entry, run, name, limit, check));
  });
}

export function checkAbsoluteFacts(entry: NamedEntry, run: Run): LimitResult[] {
  const limits = Object.fromEntries(Object.entries(entry.limits).filter(([, { against }]) => !against));
  return checkFacts({ ...entry, limits }, run, { was: null });
}

/** True if a program can transfer the values. Memory that is empty, shared or cannot change its owner is excluded. */
export function isTransferable(row: Facts): boolean {
  if (!isBuffer(row)) return has(row, 'transferable');
  const isFixed = has(row, 'shared-backing', 'detached', 'wasm-memory', 'pooled', 'untransferable');
  return !isFixed && row.tag !== 'SharedArrayBuffer' && (row.bytes?.total ?? 0) > 0;
}

const isPattern = (path: string) =>
  parsePath(path)?.some((step) => ('index' in step ? step.index === null : step.type !== 'key')) ?? false;

/** True if the listed paths cover all values of this row. A concrete path covers one value, a pattern covers all. */
export function isListed(row: Facts, listed: readonly string[]): boolean {
  // Programs write the buffer of the view `$.pixels` as `$.pixels.buffer`.
  const views = listed.map((path) => path.replace(/\.buffer$/, ''));
  const matching = [...new Set([...listed, ...views])].filter(
    (path) => path === row.pattern || pathFits(path, row.example) || pathFits(row.pattern, path),
  );
  if (matching.some((path) => path === row.pattern || (isPattern(path) && pathFits(path, row.example))))
    return true;
  return matching.length >= row.count;
}

/** Reason for an undecided limit, with the smallest growth that the interval would not hide. */
const undecided = ({ ratio, ci }: RatioEstimate) =>
  `the limit is within the interval: in this time growth from ${Math.ceil(100 * (ci[1] / ratio - 1))} % on can be detected; a longer --budget narrows it`;

/** Failed if the whole interval is above the limit, passed if it is below. Unsure too if the samples do not suffice. */
export function judgeByLimit(estimate: RatioEstimate, limit: number): LimitCheck {
  const { ratio, ci, ...sampled } = estimate;
  const [low, high] = ci;
  const isUndecided = low <= limit && high > limit;
  const lack = lackText(estimate, isUndecided ? 'size' : low > limit ? 'failure' : 'side');
  const judged = { expected: limit, actual: ratio, change: ratio, ci, ...sampled, path: null };
  if (lack === null && !isUndecided)
    return high <= limit ? { outcome: 'passed', ...judged } : { outcome: 'failed', ...judged, path: '$' };
  const reason = lack === null ? undecided(estimate) : `${lack}; a longer --budget takes more`;
  if (lackOf(estimate, 'side') === null) return { outcome: 'unsure', ...judged, reason };
  // Few samples do not have an interval.
  return { outcome: 'unsure', expected: limit, actual: null, ...sampled, path: null, reason };
}

/** Sorted bytes per message of each process. Bytes below the noise are raised to the noise. */
const bytesPerMessage = (processes: readonly MemoryUse[]): number[] =>
  processes
    .map(({ bytes, messages }) => Math.max(bytes, MEMORY_NOISE_BYTES) / Math.max(1, messages))
    .sort((a, b) => a - b);

/** A few processes per side only give the extremes: the interval reaches from minimum/maximum to maximum/minimum. */
export function judgeMemoryRatio(before: readonly MemoryUse[], now: readonly MemoryUse[], limit: number) {
  const [old, current] = [bytesPerMessage(before), bytesPerMessage(now)];
  const [oldMiddle, currentMiddle] = [lowerMedian(old), lowerMedian(current)];
  if (oldMiddle === undefined || currentMiddle === undefined) return null;
  const ci: [number, number] = [current[0]! / old.at(-1)!, current.at(-1)! / old[0]!];
  const processes = Math.min(old.length, current.length);
  return judgeByLimit({ ratio: currentMiddle / oldMiddle, ci, processes }, limit);
}
