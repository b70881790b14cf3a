/** What the engine's own oracle says of a verdict. */

import type { PathName } from '../../model/names.ts';
import type { Blocker, Classification, Unknown, Verdict } from '../../model/rule.ts';
import type { Confirmation } from '../../model/wire.ts';
import { pathFits } from '../paths.ts';
import { worse } from './verdict.ts';

/**
 * Compares the verdict with what the engine really did. A question that the description had to leave open is settled
 * by the answer; any other difference is a mistake of the rule book and gives `confirmed: false`.
 *
 * @param confirmation null, or with a null path, when the engine has no oracle for such a value: `confirmed` is null
 */
export function withConfirmation(
  classification: Classification,
  confirmation: Confirmation | null,
): Classification {
  if (confirmation === null || confirmation.path === null) return classification;
  const { verdict } = classification;
  const answers = verdict.unknowns.map((unknown) => answerTo(unknown, verdict, confirmation));
  const bad = verdict.unknowns.filter((_, i) => answers[i] === 'otherwise');
  const settled = bad.reduce(
    (before, unknown) => turnedOutBadly(before, unknown, confirmation),
    classification,
  );
  return {
    ...settled,
    verdict: {
      ...settled.verdict,
      unknowns: verdict.unknowns.filter((_, i) => answers[i] === 'open'),
      confirmed: agree(settled.verdict.path, confirmation.path),
    },
  };
}

/**
 * The oracle posts a value built anew, and JSC's allocation profile may have learnt in between to make such an array
 * with the other kind of number storage (runtime/ArrayProfile.cpp). Both travel as one block of memory.
 */
const NUMBER_BLOCKS: readonly PathName[] = ['int32-array', 'double-array'];

function agree(said: PathName, took: PathName): boolean {
  return said === took || (NUMBER_BLOCKS.includes(said) && NUMBER_BLOCKS.includes(took));
}

type OracleAnswer = 'as-said' | 'otherwise' | 'open';

function answerTo({ what, path, otherwise }: Unknown, verdict: Verdict, oracle: Confirmation): OracleAnswer {
  if (otherwise === undefined) return 'open';
  if (what === 'delete-history') {
    if (oracle.hidden.some((one) => pathFits(path, one))) return 'otherwise';
    return oracle.path === verdict.path ? 'as-said' : 'open';
  }
  if (otherwise.path === 'rejected') return oracle.path === 'rejected' ? 'otherwise' : 'as-said';
  const saw = path === '$' ? oracle.path : oracle.at.find((one) => one.pattern === path)?.saw;
  if (saw === otherwise.path) return 'otherwise';
  return saw === undefined || (path === '$' && saw !== verdict.path) ? 'open' : 'as-said';
}

/** The classification as it is when the open question is answered for the worse. */
function turnedOutBadly(before: Classification, unknown: Unknown, oracle: Confirmation): Classification {
  const { verdict, findings } = before;
  const { path, class: cost, rule } = unknown.otherwise!;
  const found = rule === null ? null : { rule, ...whereSeen(unknown, oracle) };
  const fresh = found !== null && !findings.some((f) => f.rule === found.rule && f.path === found.path);
  const ofRoot = unknown.path === '$' || path === 'serializer' || path === 'rejected';
  return {
    verdict: {
      ...verdict,
      path: ofRoot ? path : verdict.path,
      class: worse(cost, verdict.class) ? cost : verdict.class,
      blockers: fresh ? [...verdict.blockers, found] : verdict.blockers,
    },
    findings: fresh ? [{ ...found, level: 'slow' }, ...findings] : findings,
  };
}

function whereSeen({ what, path, count }: Unknown, { hidden, at }: Confirmation): Omit<Blocker, 'rule'> {
  const marked = what === 'delete-history' ? hidden.filter((one) => pathFits(path, one)) : [];
  if (marked.length > 0) {
    return { path: marked.length === 1 ? marked[0]! : path, count: marked.length, example: marked[0]! };
  }
  return { path, count, example: at.find((one) => one.pattern === path)?.example ?? path };
}
