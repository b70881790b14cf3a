import type { BaselineFacts, Limit, LimitName, LimitResult } from '../../model/check.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import type { Run } from '../../model/report.ts';
import type { Shape } from '../../model/shape.ts';
import { amplificationOf, bytesOf, deepest, heaviest, mostNumerous } from './baseline-facts.ts';
import { type LimitCheck, type NamedEntry, resultOf, unmeasured, withoutBaseline } from './limit-check.ts';
import { causeOfClass } from './main-cause.ts';
import { isListed, isTransferable } from './transfers.ts';

/** Limits on facts: the same input gives the same answer on every machine. */
export const FACT_LIMITS = [
  'class',
  'maxBytes',
  'maxNodes',
  'maxDepth',
  'maxAmplification',
  'lossy',
  'rejected',
  'transfer',
] as const satisfies readonly LimitName[];
type FactLimit = (typeof FACT_LIMITS)[number];

interface LimitCase {
  run: Run;
  limit: Limit;
  was: BaselineFacts | null;
  entry: NamedEntry;
}

const rank = (name: CostClass) => COST_CLASSES.indexOf(name);
const verdictOn = (holds: boolean): LimitResult['outcome'] => (holds ? 'passed' : 'failed');
const rounded = (value: number) => String(Number.isInteger(value) ? value : Number(value.toFixed(2)));

/** At most `limit.value` of a number, or that much over what it was; null cannot be measured. */
function atMost(
  value: number | null,
  path: string | null,
  was: number | null,
  of: LimitCase,
  unit = '',
): LimitCheck[] {
  const { limit, entry } = of;
  if (value === null) return [unmeasured('the engine does not tell')];
  if (limit.against && was === null) return [withoutBaseline(entry.id, limit)];
  const most = limit.against ? (was ?? 0) * (1 + Number(limit.value)) : Number(limit.value);
  const holds = value <= most;
  return [
    {
      outcome: verdictOn(holds),
      ...(limit.against ? { expected: `${limit.text} (at most ${rounded(Math.floor(most))}${unit})` } : {}),
      actual: rounded(value) + unit,
      path: holds ? null : (path ?? '$'),
      was: was === null ? null : rounded(was) + unit,
    },
  ];
}

/** One result for each finding of a level; passed when there is none. */
function noneOf(level: 'lossy' | 'rejected', { run, was }: LimitCase): LimitCheck[] {
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

function judgeLossy(of: LimitCase): LimitCheck[] {
  const found = noneOf('lossy', of);
  const before = of.was?.losses.map(({ rule }) => rule).join(', ');
  return found.length > 0 ? found : [{ ...NONE, was: before || null }];
}

/** The engine's refusal counts also where no rule explains it. */
function judgeRejected(of: LimitCase): LimitCheck[] {
  const found = noneOf('rejected', of);
  if (found.length > 0) return found;
  return of.run.verdict?.class === 'rejected'
    ? [{ outcome: 'failed', actual: 'refused by the engine', path: '$' }]
    : [NONE];
}

function judgeClass({ run, limit, was, entry }: LimitCase): LimitCheck[] {
  const { verdict } = run;
  if (!verdict) return [unmeasured('no verdict')];
  if (limit.against && !was) return [withoutBaseline(entry.id, limit)];
  const allowed = limit.against ? (was?.class ?? 'shared') : (limit.value as CostClass);
  const holds = rank(verdict.class) <= rank(allowed);
  return [
    {
      outcome: verdictOn(holds),
      expected: limit.against ? `${allowed} (as in the baseline)` : allowed,
      actual: verdict.class,
      ...(holds ? { path: null } : causeOfClass(run, was)),
      was: was?.class ?? null,
    },
  ];
}

/** Every transferable buffer must be among the paths that the program lists. */
function judgeTransfer({ run, entry }: LimitCase): LimitCheck[] {
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

const judges: Record<FactLimit, (of: LimitCase) => LimitCheck[]> = {
  class: judgeClass,
  maxBytes: (of) => {
    const { run, was } = of;
    return atMost(bytesOf(run), run.shape && heaviest(run.shape, was), was?.bytes ?? null, of, ' B');
  },
  maxNodes: (of) => {
    const { shape } = of.run;
    return atMost(shape?.nodes ?? null, shape && mostOfNodes(shape, of), of.was?.nodes ?? null, of);
  },
  maxDepth: (of) => {
    const { shape } = of.run;
    return atMost(shape?.depth ?? null, shape && deepest(shape), of.was?.depth ?? null, of);
  },
  maxAmplification: (of) => {
    const { shape } = of.run;
    if (!shape) return [unmeasured('no shape')];
    const { ratio, path } = amplificationOf(shape, (row) => isListed(row, of.entry.transfer));
    return atMost(ratio, path, null, of);
  },
  lossy: judgeLossy,
  rejected: judgeRejected,
  transfer: judgeTransfer,
};

/** What the limits on facts say of one run. A run that failed passes nothing: every limit is `not-measured`. */
export function judgeFacts(entry: NamedEntry, run: Run, was: BaselineFacts | null): LimitResult[] {
  return FACT_LIMITS.flatMap((name) => {
    const limit = entry.limits[name];
    if (!limit || limit.level === 'off') return [];
    const judged =
      run.status === 'failed'
        ? [unmeasured(run.error?.message ?? 'the run failed')]
        : judges[name]({ run, limit, was, entry });
    return judged.map((one) => resultOf(entry, run, name, limit, one));
  });
}
