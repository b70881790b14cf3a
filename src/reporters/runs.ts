/** Runs of one payload: named, ordered, and put together where they say the same. */
import type { PayloadReport, Run, Trial } from '../model/report.ts';

/** "bun 1.4.5" */
export const nameOf = ({ runtime }: Run): string => `${runtime.name} ${runtime.version}`;

/** "node 20.20.2, 24.21.0 and bun 1.4.5" */
export function namesOf(runs: readonly Run[]): string {
  const versions = new Map<string, string[]>();
  for (const { runtime } of runs) {
    const known = versions.get(runtime.name) ?? [];
    if (!known.includes(runtime.version)) known.push(runtime.version);
    versions.set(runtime.name, known);
  }
  return listed([...versions].map(([name, list]) => `${name} ${list.join(', ')}`));
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Measured runs by round trip, then classified ones, then failed ones. */
export function fastestFirst(runs: readonly Run[]): Run[] {
  const place = (run: Run) => {
    if (run.measurement !== null) return run.measurement.roundTrip.median;
    return run.status === 'failed' ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER;
  };
  return [...runs].sort((a, b) => place(a) - place(b));
}

/**
 * What one section says of all its runs; numbers apart. Runtimes of one engine share it unless it speaks of versions.
 */
function gist(run: Run): string {
  const { verdict, advice } = run;
  const speaksOfVersions =
    verdict?.confirmed === false || (verdict?.upgrade ?? advice?.upgrade ?? null) !== null;
  return JSON.stringify([
    run.status === 'failed' ? null : run.runtime.engine,
    speaksOfVersions ? run.runtime.name : null,
    run.channel,
    run.status,
    run.error?.message ?? null,
    verdict && [
      verdict.path,
      verdict.class,
      verdict.confirmed,
      verdict.blockers,
      verdict.upgrade,
      verdict.unknowns,
    ],
    run.findings,
    advice && [advice.action, advice.remedy, advice.path, advice.code, advice.ownsBothForms ?? false],
  ]);
}

/** Runs that share verdict, causes and advice, together; in order of first appearance. */
export function alike(runs: readonly Run[]): Run[][] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = gist(run);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

/** Trials fastest first by their time with conversion; those without a time last. */
export function bestFirst(trials: readonly Trial[]): Trial[] {
  const place = ({ withConversion, inPlace }: Trial) =>
    withConversion?.ratio ?? (inPlace === null ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER);
  return [...trials].sort((a, b) => place(a) - place(b));
}

function adviceKey({ advice }: Run): string | null {
  if (advice === null) return null;
  return advice.action === 'apply' ? `${advice.remedy}` : ADVICE_NAMES[advice.action];
}

const ADVICE_NAMES = {
  nothing: 'no rewrite',
  'not-the-clone': 'fewer, larger messages',
  unsure: 'unsure',
} as const;

/** "json-text on bun 1.4.5; no rewrite on node 24.21.0": one line, null when all say the same. */
export function adviceDiffers({ runs }: PayloadReport): string | null {
  const byAdvice = new Map<string, Run[]>();
  for (const run of runs) {
    const key = adviceKey(run);
    if (key !== null) byAdvice.set(key, [...(byAdvice.get(key) ?? []), run]);
  }
  if (byAdvice.size < 2) return null;
  return [...byAdvice].map(([key, group]) => `${key} on ${namesOf(group)}`).join('; ');
}
