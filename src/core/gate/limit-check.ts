import type { CheckEntry, Limit, LimitName, LimitResult } from '../../model/check.ts';
import type { Run } from '../../model/report.ts';

/** An entry after loading its payload and finding its runtime. */
export interface NamedEntry extends CheckEntry {
  id: string;
  /** "bun@1.4.5"; as in the config when it was not found. */
  runtime: string;
}

/** Result of one limit for one run, or for one of several paths that break it. */
export interface LimitCheck {
  outcome: LimitResult['outcome'];
  /** Absent: the limit as written in the config. */
  expected?: string;
  actual: string;
  path: string | null;
  example?: string | null;
  rule?: string | null;
  was?: string | null;
  reason?: string;
}

export const unmeasured = (reason: string): LimitCheck => ({
  outcome: 'not-measured',
  actual: 'unknown',
  path: null,
  reason,
});

/** A limit that needs the baseline of a payload that is not in it; the limit of a preset only warns. */
export function withoutBaseline(id: string, { preset }: Limit): LimitCheck {
  const reason = `${id} is not in the baseline: run clone-prof baseline and commit the file`;
  return { ...unmeasured(reason), outcome: preset ? 'unsure' : 'not-measured' };
}

export function resultOf(
  entry: NamedEntry,
  run: Run,
  name: LimitName,
  limit: Limit,
  check: LimitCheck,
): LimitResult {
  return {
    payload: entry.id,
    runtime: entry.runtime,
    channel: run.channel,
    limit: name,
    level: limit.level,
    outcome: check.outcome,
    expected: check.expected ?? limit.text,
    actual: check.actual,
    path: check.path,
    example: check.example ?? null,
    was: check.was ?? null,
    rule: check.rule ?? null,
    file: entry.input,
    line: null,
    ...(check.reason === undefined ? {} : { reason: check.reason }),
  };
}
