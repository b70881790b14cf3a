import type { BaselineFacts } from '../../model/check.ts';
import type { Run } from '../../model/report.ts';
import type { Blocker } from '../../model/rule.ts';
import { heaviest } from './baseline-facts.ts';

/** Blockers that the baseline does not know. */
function newBlockers({ verdict }: Run, was: BaselineFacts | null): Blocker[] {
  const known = new Set(was?.blockers.map(({ rule, path }) => `${rule} ${path}`));
  return (verdict?.blockers ?? []).filter(({ rule, path }) => !known.has(`${rule} ${path}`));
}

/** What to look at first when a payload got dearer: a new blocker, else what grew most. */
export function causeOfIncrease(
  run: Run,
  was: BaselineFacts,
): { path: string; example: string | null; rule: string | null } {
  const [blocker] = newBlockers(run, was);
  if (blocker) return { path: blocker.path, example: blocker.example, rule: blocker.rule };
  return { path: (run.shape && heaviest(run.shape, was)) ?? '$', example: null, rule: null };
}

/** What is to blame: a blocker that the baseline does not know, else the first one, else what is slow. */
export function causeOfClass(run: Run, was: BaselineFacts | null) {
  const { verdict, findings } = run;
  const fresh = newBlockers(run, was);
  const [first, ...others] = fresh.length > 0 ? fresh : (verdict?.blockers ?? []);
  const blame =
    first ??
    findings.find(({ level }) => level === 'rejected') ??
    findings.find(({ level }) => level === 'slow');
  const more = others.length;
  return {
    path: blame?.path ?? '$',
    example: blame?.example ?? null,
    rule: blame?.rule ?? null,
    ...(more === 0 ? {} : { reason: `and ${more} more place${more === 1 ? '' : 's'}` }),
  };
}
