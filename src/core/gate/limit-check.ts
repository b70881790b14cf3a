import type { CheckEntry, Limit, LimitName, LimitResult } from '../../model/check.ts';
import type { Run } from '../../model/report.ts';

/** An entry whose payload is loaded and whose runtime is found, so that their names are known. */
export interface NamedEntry extends CheckEntry {
  id: string;
  /** "bun@1.4.5"; as in the config where it was not found. */
  runtime: string;
}

/** What one limit says of one run; several when several places break it. */
export interface LimitCheck {
  outcome: LimitResult['outcome'];
  /** Absent: the limit as written. */
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

/** What a limit that compares says of a payload without a baseline; a preset's limit only warns. */
export function withoutBaseline(id: string, { preset }: Limit): LimitCheck {
  const reason = `${id} is not in the baseline: run clone-prof baseline and commit the file`;
  return { ...unmeasured(reason), outcome: preset ? 'unsure' : 'not-measured' };
}

export function resultOf(
  entry: NamedEntry,
  run: Run,
  name: LimitName,
  limit: Limit,
  judged: LimitCheck,
): LimitResult {
  return {
    payload: entry.id,
    runtime: entry.runtime,
    channel: run.channel,
    limit: name,
    level: limit.level,
    outcome: judged.outcome,
    expected: judged.expected ?? limit.text,
    actual: judged.actual,
    path: judged.path,
    example: judged.example ?? null,
    was: judged.was ?? null,
    rule: judged.rule ?? null,
    file: entry.input,
    line: null,
    ...(judged.reason === undefined ? {} : { reason: judged.reason }),
  };
}
