import type { BaselineFacts } from '../../model/check.ts';
import type { Run } from '../../model/report.ts';
import type { Facts, Shape } from '../../model/shape.ts';

/** The facts of a run that are the same on every machine; null when the run has none. */
export function factsOf(run: Run): BaselineFacts | null {
  const { verdict, shape } = run;
  if (!verdict || !shape) return null;
  return {
    path: verdict.path,
    class: verdict.class,
    blockers: verdict.blockers.map(({ rule, path }) => ({ rule, path })).sort(byRuleAndPath),
    bytes: bytesOf(run),
    nodes: shape.nodes,
    depth: shape.depth,
    losses: run.findings
      .filter(({ level }) => level === 'lossy')
      .map(({ rule, path }) => ({ rule, path }))
      .sort(byRuleAndPath),
  };
}

/** Bytes on the wire where the engine tells, else of the JSON text. */
export const bytesOf = (run: Run): number | null => run.wireBytes ?? run.shape?.jsonBytes ?? null;

interface Place {
  rule: string;
  path: string;
}

/** By code unit, not by locale: the baseline file must be the same on every machine. */
function byRuleAndPath(a: Place, b: Place): number {
  const [x, y] = [`${a.rule} ${a.path}`, `${b.rule} ${b.path}`];
  return x < y ? -1 : x > y ? 1 : 0;
}

export interface Amplification {
  /** Bytes copied over bytes meant; 1 when there is no buffer. */
  ratio: number;
  /** The pattern with the most bytes copied for nothing. */
  path: string | null;
}

/** How many more bytes the clone copies than the payload means, because a view drags its whole buffer along. */
export function amplificationOf(shape: Shape): Amplification {
  let meant = 0;
  let copied = 0;
  let worst: { path: string; waste: number } | null = null;
  for (const { bytes, pattern } of shape.patterns) {
    if (bytes?.backing === undefined) continue;
    meant += bytes.total;
    copied += bytes.backing;
    const waste = bytes.backing - bytes.total;
    if (waste > (worst?.waste ?? 0)) worst = { path: pattern, waste };
  }
  return { ratio: copied === 0 ? 1 : copied / Math.max(1, meant), path: worst?.path ?? null };
}

/** The pattern that holds the most bytes, for the words of a size limit; null when no row knows its bytes. */
export function heaviest(shape: Shape): string | null {
  const weight = (row: Facts) => row.bytes?.backing ?? row.bytes?.total ?? 0;
  const top = shape.patterns.reduce<Facts | null>(
    (best, row) => (weight(row) > (best ? weight(best) : 0) ? row : best),
    null,
  );
  return top?.pattern ?? null;
}

/** The pattern of the deepest row. */
export function deepest(shape: Shape): string | null {
  const top = shape.patterns.reduce<Facts | null>(
    (best, row) => (row.depth > (best?.depth ?? -1) ? row : best),
    null,
  );
  return top?.pattern ?? null;
}
