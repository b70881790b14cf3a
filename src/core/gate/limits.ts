import { type BaselineFacts, FACT_LIMITS, type Limit, type LimitResult } from '../../model/check.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import type { Run } from '../../model/report.ts';
import type { Shape } from '../../model/shape.ts';
import { amplificationOf, bytesOf, deepest, heaviest, mostNumerous } from './baseline-facts.ts';
import { type LimitCheck, type NamedEntry, resultOf, unmeasured, withoutBaseline } from './limit-check.ts';
import { causeOfClass } from './main-cause.ts';
import { isListed, isTransferable } from './transfers.ts';

type FactLimit = (typeof FACT_LIMITS)[number];

interface LimitCase {
  run: Run;
  limit: Limit;
  was: BaselineFacts | null;
  entry: NamedEntry;
}

const rank = (name: CostClass) => COST_CLASSES.indexOf(name);
const outcomeFor = (holds: boolean): LimitResult['outcome'] => (holds ? 'passed' : 'failed');
const rounded = (value: number) => String(Number.isInteger(value) ? value : Number(value.toFixed(2)));

/** Checks a number against `limit.value`, or against that share over the baseline; null could not be measured. */
function atMost(
  value: number | null,
  path: string | null,
  was: number | null,
  one: LimitCase,
  unit = '',
): LimitCheck[] {
  const { limit, entry } = one;
  if (value === null) return [unmeasured('the engine does not report it')];
  if (limit.against && was === null) return [withoutBaseline(entry.id, limit)];
  const most = limit.against ? (was ?? 0) * (1 + Number(limit.value)) : Number(limit.value);
  const holds = value <= most;
  return [
    {
      outcome: outcomeFor(holds),
      ...(limit.against ? { expected: `${limit.text} (at most ${rounded(Math.floor(most))}${unit})` } : {}),
      actual: rounded(value) + unit,
      path: holds ? null : (path ?? '$'),
      was: was === null ? null : rounded(was) + unit,
    },
  ];
}

/** One failed check for each finding of a level. */
function checksByFinding(level: 'lossy' | 'rejected', { run, was }: LimitCase): LimitCheck[] {
  const found = run.findings.filter((finding) => finding.level === level);
  const before = level === 'lossy' ? (was?.losses ?? null) : null;
  const wasThere = (rule: string) => (before?.some((loss) => loss.rule === rule) ? rule : 'none');
  return found.map(({ rule, path, example, count }) => ({
    outcome: 'failed',
    actual: `${count} value${count === 1 ? '' : 's'}`,
    path,
    example,
    rule,
    was: before === null ? null : wasThere(rule),
  }));
}

const NONE: LimitCheck = { outcome: 'passed', actual: 'none', path: null };

function checkLossy(one: LimitCase): LimitCheck[] {
  const found = checksByFinding('lossy', one);
  const before = one.was?.losses.map(({ rule }) => rule).join(', ');
  return found.length > 0 ? found : [{ ...NONE, was: before || null }];
}

/** A rejection by the engine counts also where no rule explains it. */
function checkRejected(one: LimitCase): LimitCheck[] {
  const found = checksByFinding('rejected', one);
  if (found.length > 0) return found;
  return one.run.verdict?.class === 'rejected'
    ? [{ outcome: 'failed', actual: 'refused by the engine', path: '$' }]
    : [NONE];
}

function checkClass({ run, limit, was, entry }: LimitCase): LimitCheck[] {
  const { verdict } = run;
  if (!verdict) return [unmeasured('no verdict')];
  if (limit.against && !was) return [withoutBaseline(entry.id, limit)];
  const allowed = limit.against ? (was?.class ?? 'shared') : (limit.value as CostClass);
  const holds = rank(verdict.class) <= rank(allowed);
  return [
    {
      outcome: outcomeFor(holds),
      expected: limit.against ? `${allowed} (as in the baseline)` : allowed,
      actual: verdict.class,
      ...(holds ? { path: null } : causeOfClass(run, was)),
      was: was?.class ?? null,
    },
  ];
}

/** Every transferable buffer must be among the paths that the program lists. */
function checkTransfer({ run, entry }: LimitCase): LimitCheck[] {
  if (!run.shape) return [unmeasured('no shape')];
  const missed = run.shape.patterns.filter((row) => isTransferable(row) && !isListed(row, entry.transfer));
  if (missed.length === 0) return [{ outcome: 'passed', actual: 'all', path: null }];
  return missed.map(({ pattern, example, count }) => ({
    outcome: 'failed',
    actual: `${count} not listed`,
    path: pattern,
    example,
  }));
}

const mostOfNodes = (shape: Shape, { limit, was }: LimitCase) =>
  limit.against ? heaviest(shape, was) : mostNumerous(shape);

const CHECKS: Record<FactLimit, (one: LimitCase) => LimitCheck[]> = {
  class: checkClass,
  maxBytes: (one) => {
    const { run, was } = one;
    return atMost(bytesOf(run), run.shape && heaviest(run.shape, was), was?.bytes ?? null, one, ' B');
  },
  maxNodes: (one) => {
    const { shape } = one.run;
    return atMost(shape?.nodes ?? null, shape && mostOfNodes(shape, one), one.was?.nodes ?? null, one);
  },
  maxDepth: (one) => {
    const { shape } = one.run;
    return atMost(shape?.depth ?? null, shape && deepest(shape), one.was?.depth ?? null, one);
  },
  maxAmplification: (one) => {
    const { shape } = one.run;
    if (!shape) return [unmeasured('no shape')];
    const { ratio, path } = amplificationOf(shape, (row) => isListed(row, one.entry.transfer));
    return atMost(ratio, path, null, one);
  },
  lossy: checkLossy,
  rejected: checkRejected,
  transfer: checkTransfer,
};

/** Checks one run against all limits on facts. Of a run that failed every limit is `not-measured`. */
export function checkFacts(entry: NamedEntry, run: Run, was: BaselineFacts | null): LimitResult[] {
  return FACT_LIMITS.flatMap((name) => {
    const limit = entry.limits[name];
    if (!limit || limit.level === 'off') return [];
    const checks =
      run.status === 'failed'
        ? [unmeasured(run.error?.message ?? 'the run failed')]
        : CHECKS[name]({ run, limit, was, entry });
    return checks.map((check) => resultOf(entry, run, name, limit, check));
  });
}
