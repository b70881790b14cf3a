import type { BaselineFacts, CheckEntry, Limit, LimitName, LimitResult } from '../../model/check.ts';
import type { Run } from '../../model/report.ts';
import { COST_CLASSES, type CostClass } from '../../model/words.ts';
import { amplificationOf, bytesOf, deepest, heaviest } from './facts.ts';

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

/** What one limit says of one run; several when several places break it. */
interface Judged {
  outcome: LimitResult['outcome'];
  actual: string;
  path: string | null;
  rule?: string | null;
  was?: string | null;
  reason?: string;
}

type Judge = (run: Run, limit: Limit, was: BaselineFacts | null, entry: CheckEntry) => Judged[];

const rank = (name: CostClass) => COST_CLASSES.indexOf(name);
const verdictOn = (holds: boolean): LimitResult['outcome'] => (holds ? 'passed' : 'failed');

/** At most `limit.value` of a number; null cannot be measured. */
function atMost(value: number | null, limit: Limit, path: string | null, was: number | null): Judged[] {
  if (value === null) return [unmeasured('the engine does not tell')];
  const holds = value <= Number(limit.value);
  return [
    {
      outcome: verdictOn(holds),
      actual: rounded(value),
      path: holds ? null : path,
      was: was === null ? null : rounded(was),
    },
  ];
}

const rounded = (value: number) => String(Number.isInteger(value) ? value : Number(value.toFixed(2)));
const unmeasured = (reason: string): Judged => ({
  outcome: 'not-measured',
  actual: 'unknown',
  path: null,
  reason,
});

/** One result for each finding of a level; passed when there is none. */
function none(run: Run, level: 'lossy' | 'rejected', was: string[] | null): Judged[] {
  const found = run.findings.filter((finding) => finding.level === level);
  if (found.length === 0)
    return [{ outcome: 'passed', actual: 'none', path: null, was: was?.join(', ') || null }];
  return found.map(({ rule, example, count }) => ({
    outcome: 'failed',
    actual: `${count} value${count === 1 ? '' : 's'}`,
    path: example,
    rule,
    was: was ? (was.includes(rule) ? rule : 'none') : null,
  }));
}

const judges: Record<FactLimit, Judge> = {
  class: (run, limit, was) => {
    const { verdict } = run;
    if (!verdict) return [unmeasured('no verdict')];
    const holds = rank(verdict.class) <= rank(limit.value as CostClass);
    const blocker = holds ? undefined : verdict.blockers[0];
    return [
      {
        outcome: verdictOn(holds),
        actual: verdict.class,
        path: blocker?.path ?? null,
        rule: blocker?.rule ?? null,
        was: was?.class ?? null,
      },
    ];
  },
  maxBytes: (run, limit, was) =>
    atMost(bytesOf(run), limit, run.shape ? heaviest(run.shape) : null, was?.bytes ?? null),
  maxNodes: (run, limit, was) => atMost(run.shape?.nodes ?? null, limit, null, was?.nodes ?? null),
  maxDepth: (run, limit, was) =>
    atMost(run.shape?.depth ?? null, limit, run.shape ? deepest(run.shape) : null, was?.depth ?? null),
  maxAmplification: (run, limit) => {
    if (!run.shape) return [unmeasured('no shape')];
    const { ratio, path } = amplificationOf(run.shape);
    return atMost(ratio, limit, path, null);
  },
  lossy: (run, _limit, was) => none(run, 'lossy', was?.losses.map(({ rule }) => rule) ?? null),
  rejected: (run) => none(run, 'rejected', null),
  transfer: (run, _limit, _was, entry) => transferred(run, entry.transfer),
};

/** Every transferable buffer must be among the paths that the program lists. */
function transferred(run: Run, listed: string[]): Judged[] {
  if (!run.shape) return [unmeasured('no shape')];
  const covered = (pattern: string, example: string) => listed.includes(pattern) || listed.includes(example);
  const missed = run.shape.patterns.filter(
    (row) => row.flags.includes('transferable') && !covered(row.pattern, row.example),
  );
  if (missed.length === 0) return [{ outcome: 'passed', actual: 'all', path: null }];
  return missed.map(({ example, count }) => ({
    outcome: 'failed',
    actual: `${count} not listed`,
    path: example,
  }));
}

/** What the limits on facts say of one run. A run that failed passes nothing: every limit is `not-measured`. */
export function judgeFacts(entry: CheckEntry, run: Run, was: BaselineFacts | null): LimitResult[] {
  return FACT_LIMITS.flatMap((name) => {
    const limit = entry.limits[name];
    if (!limit || limit.level === 'off') return [];
    const judged =
      run.status === 'failed'
        ? [unmeasured(run.error?.message ?? 'the run failed')]
        : judges[name](run, limit, was, entry);
    return judged.map((one) => resultOf(entry, run, name, limit, one));
  });
}

export function resultOf(
  entry: CheckEntry,
  run: Run,
  name: LimitName,
  limit: Limit,
  judged: Judged,
): LimitResult {
  const { name: runtime, version } = run.runtime;
  return {
    payload: entry.id,
    runtime: `${runtime}@${version}`,
    channel: run.channel,
    limit: name,
    level: limit.level,
    outcome: judged.outcome,
    expected: limit.text,
    actual: judged.actual,
    path: judged.path,
    was: judged.was ?? null,
    rule: judged.rule ?? null,
    file: entry.input,
    line: null,
    ...(judged.reason === undefined ? {} : { reason: judged.reason }),
  };
}
