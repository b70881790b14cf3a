import { LEVELS, type Level } from '../model/names.ts';
import type { Run } from '../model/report.ts';
import type { Wording } from '../model/wording.ts';

/** A rule that fired at one place, with its words. */
export interface Cause {
  rule: string;
  path: string;
  count: number;
  level: Level;
  title: string;
  why: string | null;
  fix: string | null;
  source: string | null;
}

interface Fired {
  rule: string;
  path: string;
  count: number;
}

function causeOf(
  { rule, path, count }: Fired,
  level: Level | undefined,
  words: Wording,
  what?: string,
): Cause {
  const row = words.rules[rule];
  const title = row?.title ?? rule;
  return {
    rule,
    path,
    count,
    level: level ?? row?.level ?? 'note',
    title: what === undefined || title.includes(what) ? title : `${title} (${what})`,
    why: row?.why ?? null,
    fix: row?.fix ?? null,
    source: row?.source ?? null,
  };
}

const samePlace = (a: Fired) => (b: Fired) => a.rule === b.rule && a.path === b.path;

/** What keeps the payload from a better path, in the order of the report. */
export function blockersOf(run: Run, words: Wording): Cause[] {
  return (run.verdict?.blockers ?? []).map((blocker) => {
    const finding = run.findings.find(samePlace(blocker));
    return causeOf(blocker, finding?.level, words, finding?.what);
  });
}

/** Findings that are no blockers, worst first. */
export function otherFindings(run: Run, words: Wording): Cause[] {
  const blockers = run.verdict?.blockers ?? [];
  return run.findings
    .filter((finding) => !blockers.some(samePlace(finding)))
    .map((finding) => causeOf(finding, finding.level, words, finding.what))
    .sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

/** The distinct rules among causes, each with its explanation, in order. */
export function explained(causes: readonly Cause[]): Cause[] {
  return causes.filter(
    ({ rule, why }, index) => why !== null && causes.findIndex((other) => other.rule === rule) === index,
  );
}

/** "the serializer", "a flat object": the path's own title, or its name when no table knows it. */
export function pathTitle(run: Run, path: string, words: Wording): string {
  return words.paths[run.runtime.engine][path]?.title ?? path;
}
