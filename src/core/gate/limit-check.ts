import type { Limit } from '../../model/documents/baseline.ts';
import type { LimitFact, LimitResult } from '../../model/documents/check.ts';
import type { Run } from '../../model/documents/report.ts';
import { type Checked, LIMIT_ROWS } from '../../model/gate/limits.ts';
import type { CheckEntry } from '../../model/run/check-config.ts';

/** An entry after loading its payload and finding its runtime. */
export interface NamedEntry extends CheckEntry {
  id: string;
  /** "bun@1.4.5"; the name in the config if the runtime was not found. */
  runtime: string;
}

type Measured = 'was' | 'change' | 'ci' | 'samples' | 'processes';

/**
 * Result of one limit for one run, or for one of several paths that break it. `expected` and `level` default to the
 * value and the level of the limit.
 */
export type LimitCheck = Pick<LimitResult, 'outcome' | 'actual' | 'path'> &
  Partial<Pick<LimitResult, Measured | 'expected' | 'level' | 'example' | 'rule' | 'reason'>>;

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

/** Check of a limit that is relative to the baseline, for a payload that the baseline does not hold. */
export const withoutBaseline = (id: string): LimitCheck =>
  unmeasured(`${id} is not in the baseline: run clone-prof baseline and commit the file`);

/** Expected value of a limit: 0 for limits that count violations; null if it depends on the baseline. */
function expectedOf(name: Checked, { value, against }: Limit): LimitFact {
  if (LIMIT_ROWS[name].none !== undefined) return 0;
  return against || value === true ? null : value;
}

export function resultOf(
  { id: payload, runtime, input: file }: NamedEntry,
  { channel }: Run,
  name: Checked,
  limit: Limit,
  check: LimitCheck,
): LimitResult {
  const { outcome, actual, was = null, change = null, ci, samples, processes } = check;
  const { path, example = null, rule = null, reason, level = limit.level } = check;
  return {
    ...{ payload, runtime, channel, limit: name, level, outcome },
    ...{ written: limit.text, against: limit.against ?? null },
    ...{ expected: check.expected ?? expectedOf(name, limit), actual, was, change },
    ...(ci !== undefined && { ci }),
    ...(samples !== undefined && { samples }),
    ...(processes !== undefined && { processes }),
    ...{ path, example, rule, file, line: null },
    ...(reason !== undefined && { reason }),
  };
}
