import type { BaselineFacts } from '../../model/documents/baseline.ts';
import type { Blocker } from '../../model/documents/classification.ts';
import type { Run } from '../../model/documents/report.ts';
import { withoutDataKeys } from '../key-names.ts';
import { heaviest } from './baseline-facts.ts';

/** Blockers that are not in the baseline. */
function newBlockers({ verdict, shape }: Run, was: BaselineFacts | null): Blocker[] {
  const known = new Set(was?.blockers.map(({ rule, path }) => `${rule} ${path}`));
  const plain = shape ? withoutDataKeys(shape) : (path: string) => path;
  return (verdict?.blockers ?? []).filter(({ rule, path }) => !known.has(`${rule} ${plain(path)}`));
}

/** Why a payload takes more time or memory: a new blocker, else the pattern that grew most. */
export function causeOfIncrease(
  run: Run,
  was: BaselineFacts,
): { path: string; example: string | null; rule: string | null } {
  const [blocker] = newBlockers(run, was);
  if (blocker) return { path: blocker.path, example: blocker.example, rule: blocker.rule };
  return { path: (run.shape && heaviest(run.shape, was)) ?? '$', example: null, rule: null };
}

/** Why a payload has its class: a new blocker, else the first blocker, else the worst finding. */
export function causeOfClass(run: Run, was: BaselineFacts | null) {
  const { verdict, findings } = run;
  const added = newBlockers(run, was);
  const [first, ...others] = added.length > 0 ? added : (verdict?.blockers ?? []);
  const cause =
    first ??
    findings.find(({ level }) => level === 'rejected') ??
    findings.find(({ level }) => level === 'slow');
  const more = others.length;
  return {
    path: cause?.path ?? '$',
    example: cause?.example ?? null,
    rule: cause?.rule ?? null,
    ...(more === 0 ? {} : { reason: `and ${more} more path${more === 1 ? '' : 's'}` }),
  };
}
