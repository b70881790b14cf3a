/** Compares a verdict with the engine's own oracle. */

import type { Unknown, Verdict } from '../../model/documents/classification.ts';
import type { PathName } from '../../model/names.ts';
import type { Classification } from '../../model/rules/rule.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { filter, map } from '../../value/read/lists.ts';
import { pathFits } from '../../value/read/paths.ts';
import { worse } from './match.ts';

/**
 * Corrects the classification by the oracle, which may settle unknowns and whose refusals are final; any other
 * difference is an error of the rule book and gives `confirmed: false`, or null without an answer.
 */
export function withConfirmation(base: Classification, confirmation: Confirmation | null): Classification {
  if (confirmation === null || confirmation.path === null) return base;
  const { verdict } = base;
  const answers = map(verdict.unknowns, (unknown) => answerTo(unknown, verdict, confirmation));
  const settled = filter(verdict.unknowns, (_, i) => answers[i] === 'otherwise').reduce(
    (before, unknown) => withOtherwise(before, unknown, confirmation),
    base,
  );
  const told = withRefusal(settled, confirmation);
  return {
    ...told,
    verdict: {
      ...told.verdict,
      unknowns: filter(verdict.unknowns, (_, i) => answers[i] === 'open'),
      confirmed:
        told.verdict.path === confirmation.path ||
        [told.verdict.path, confirmation.path].every((path) => NUMBER_BLOCKS.includes(path)),
    },
  };
}

/** The oracle saw a different value. @param what `storage-varies`: an equal one, stored otherwise */
export function withVaryingValue(
  { verdict, findings }: Classification,
  path: string,
  what: 'value-varies' | 'storage-varies',
): Classification {
  const unknowns = [...verdict.unknowns, { what, path, count: 1 }];
  return { verdict: { ...verdict, confirmed: null, unknowns }, findings };
}

/** True if the engine refuses a payload that the rules accept, and no unknown explains it. */
export function isSurprisingRefusal({ verdict }: Classification, { path }: Confirmation): boolean {
  const mayBe = verdict.unknowns.some(({ otherwise }) => otherwise?.path === 'rejected');
  return path === 'rejected' && verdict.path !== 'rejected' && !mayBe;
}

/** Refusals that only the engine's message explains. Only Firefox can distinguish a Proxy from its target. */
const TOLD_REFUSALS: readonly [message: RegExp, rule: string][] = [
  [/^Proxy object/, 'spec/proxy'],
  [/call stack size exceeded|too much recursion/i, 'spec/stack-overflow'],
];

/** Adds a finding with its path for a refusal without facts (a getter that throws, an object marked as uncloneable). */
function withRefusal(before: Classification, confirmation: Confirmation): Classification {
  const { path, refused, evidence, listed } = confirmation;
  const { verdict, findings } = before;
  const at = refused ?? '$';
  // The transfer list may have a fault in addition to a fault of the value.
  const isTold = findings.some(
    (one) => one.level === 'rejected' && (listed === undefined || one.path === at || one.example === at),
  );
  if (path !== 'rejected' || isTold) return before;
  const told = TOLD_REFUSALS.find(([message]) => message.test(evidence))?.[1] ?? 'spec/refused';
  const rule = listed === undefined ? told : `spec/listed-${listed}`;
  const found = { rule, path: at, count: 1, example: at };
  return {
    verdict: { ...verdict, path, class: path, blockers: [found, ...verdict.blockers] },
    findings: [{ ...found, level: path }, ...findings],
  };
}

/**
 * The oracle posts a new value, and JSC's allocation profile may meanwhile have switched such arrays to the other
 * storage (runtime/ArrayProfile.cpp). Both travel as one block of memory.
 */
const NUMBER_BLOCKS: readonly PathName[] = ['int32-array', 'double-array'];

function answerTo({ what, path, otherwise }: Unknown, verdict: Verdict, oracle: Confirmation) {
  if (otherwise === undefined) return 'open';
  // The unknown does not affect any path.
  if (oracle.path === 'rejected' && otherwise.path !== 'rejected') return 'as-predicted';
  if (what === 'delete-history') {
    if (oracle.hidden.some((one) => pathFits(path, one))) return 'otherwise';
    return oracle.path === verdict.path ? 'as-predicted' : 'open';
  }
  if (otherwise.path === 'rejected') return oracle.path === 'rejected' ? 'otherwise' : 'as-predicted';
  const saw = path === '$' ? oracle.path : oracle.examples.find((one) => one.pattern === path)?.path;
  if (saw === otherwise.path) return 'otherwise';
  return saw === undefined || (path === '$' && saw !== verdict.path) ? 'open' : 'as-predicted';
}

function withOtherwise(before: Classification, unknown: Unknown, oracle: Confirmation): Classification {
  const { verdict, findings } = before;
  const { path, class: cost, rule } = unknown.otherwise!;
  const found = rule === null ? null : { rule, ...locateUnknown(unknown, oracle) };
  const isNew = found !== null && !findings.some((f) => f.rule === found.rule && f.path === found.path);
  const ofRoot = unknown.path === '$' || path === 'serializer' || path === 'rejected';
  return {
    verdict: {
      ...verdict,
      path: ofRoot ? path : verdict.path,
      class: worse(cost, verdict.class) ? cost : verdict.class,
      blockers: isNew ? [...verdict.blockers, found] : verdict.blockers,
    },
    findings: isNew ? [{ ...found, level: path === 'rejected' ? path : 'slow' }, ...findings] : findings,
  };
}

function locateUnknown({ what, path, count }: Unknown, { hidden, examples }: Confirmation) {
  const marked = what === 'delete-history' ? filter(hidden, (one) => pathFits(path, one)) : [];
  if (marked.length > 0) {
    return { path: marked.length === 1 ? marked[0]! : path, count: marked.length, example: marked[0]! };
  }
  return { path, count, example: examples.find((one) => one.pattern === path)?.example ?? path };
}
