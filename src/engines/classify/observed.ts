/** Corrects a classification by what the engine did: the answer of its own oracle, and the losses of a real delivery. */

import type { Finding, Unknown, Verdict } from '../../model/documents/classification.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { isJson, type PathName } from '../../model/names.ts';
import { type Classification, type Engine, LOSS_KINDS, type Rule } from '../../model/rules/rule.ts';
import { sumOf } from '../../model/sums.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import type { Confirmation, RealLoss } from '../../model/wire/wire.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { pathFits } from '../../value/read/paths.ts';
import { isReference } from '../../value/shape/shape-facts.ts';
import { byLevel } from './classify.ts';
import { outcomesOf, type PostContext, worse } from './match.ts';

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

// Compares the losses that the rules predict with the losses of a real delivery, path by path.

/** A predicted loss: `count` values at the pattern lose one of these kinds. */
type ToldLoss = Pick<Facts, 'pattern' | 'example' | 'count'> & {
  rule: string;
  kinds: readonly RealLoss['kind'][];
};

const ABOUT_REFERENCES: readonly Flag[] = ['repeated', 'cycle', 'after-bigint'];

/** A further reference repeats the facts of its object, whose losses count once; only rules about references apply. */
function concernsRow({ when }: Rule, facts: Facts): boolean {
  if (!isReference(facts)) return true;
  const wanted = flatMap([when].flat(), ({ all = [], any = [] }) => [...all, ...any]);
  return wanted.some((flag) => ABOUT_REFERENCES.includes(flag));
}

export function toldLosses(shape: Shape, engine: Engine, context: PostContext) {
  const { matches } = outcomesOf(shape, engine, context).outcomeIn(context.runtime.version);
  return flatMap(matches, ({ rule, facts }): ToldLoss[] => {
    const kinds: RealLoss['kind'][] = rule.level === 'rejected' ? ['delivery'] : [rule.loses ?? []].flat();
    // JSON writes an object at each of its places.
    const isWritten = isJson(context.channel) || concernsRow(rule, facts);
    if (kinds.length === 0 || !isWritten) return [];
    return [{ rule: rule.id, kinds, pattern: facts.pattern, example: facts.example, count: facts.count }];
  });
}

/** Path of a loss that the rule predicts: the object or its lost property. Null if the rule predicts other losses. */
function lossPlace({ kinds, pattern }: ToldLoss, { kind, owner, path }: RealLoss): string | null {
  if (!kinds.includes(kind)) return null;
  return [owner, path].find((place) => pathFits(pattern, place)) ?? null;
}

/** True if a different value or nothing arrived at this path, so that nothing else can be compared there. */
const replaces = ({ kind, path, owner }: RealLoss, at: string) =>
  (kind === 'property' && path !== owner && at.startsWith(path)) ||
  (kind === 'value' && path === owner && at.startsWith(owner));

/**
 * `untold`: real losses that no rule predicts; `false`: predicted losses that did not happen. A pattern has the path of
 * its first value only, so for several values their number is compared.
 */
export function lossErrors(told: readonly ToldLoss[], real: readonly RealLoss[]) {
  if (real.some(({ kind }) => kind === 'delivery'))
    return { untold: told.some(({ kinds }) => kinds.includes('delivery')) ? [] : [...real], false: [] };
  const untold = filter(real, (loss) => told.every((one) => lossPlace(one, loss) === null));
  const wrong = filter(told, (one) => {
    const owners = new Set(flatMap(real, (loss) => lossPlace(one, loss) ?? []));
    const moot = real.some((loss) => replaces(loss, one.example));
    return !moot && (!owners.has(one.example) || owners.size < one.count);
  });
  return { untold: [...untold, ...unexplained(told, real)], false: wrong };
}

/** Real losses at a pattern if more of its values lose something than all rules predict. */
function unexplained(told: readonly ToldLoss[], real: readonly RealLoss[]): RealLoss[] {
  return flatMap(LOSS_KINDS, (kind) => {
    const losses = filter(real, (loss) => loss.kind === kind);
    const owners = new Map(map(losses, (loss) => [loss.owner, loss]));
    return filter([...owners.values()], (loss) => {
      const fitting = filter(told, (one) => lossPlace(one, loss) !== null);
      const [first] = fitting;
      if (first === undefined) return false;
      // Losses that another rule predicts do not count, as of an undefined property next to an element with a symbol key.
      const isAlike = (other: RealLoss) =>
        told.every((one) => fitting.includes(one) || lossPlace(one, other) === null);
      const there = filter(losses, (other) => pathFits(first.pattern, other.owner) && isAlike(other));
      return new Set(map(there, ({ owner }) => owner)).size > sumOf(fitting, ({ count }) => count);
    });
  });
}

/** Maximum losses in a list. If there are more, a rule may be right although its loss is not in the list. */
const MAX_LISTED = 100;

/** Node keeps the internal state of its objects under symbols such as kHandle, which do not belong to the user. */
const HOST_STATE = /^property Symbol\(k[A-Z]\w*\):/;

/** Rule of losses that only a real post shows. */
export const UNTOLD = 'spec/changed-on-arrival';

function untoldFindings(losses: readonly RealLoss[]): Finding[] {
  const shown = filter(losses, ({ what }) => !HOST_STATE.test(what));
  const places = new Map(map(shown, (loss) => [loss.path, loss]));
  return map([...places.values()], ({ path, what }) => ({
    ...{ rule: UNTOLD, level: 'lossy' as const, path, count: 1, example: path, what },
  }));
}

/** Removes losses that did not happen, and adds losses that no rule predicts. @param losses null if not compared */
export function withObservedLosses(
  classification: Classification,
  shape: Shape,
  losses: readonly RealLoss[] | null,
  { engine, context }: { engine: Engine; context: PostContext },
): Classification {
  if (losses === null || losses.length > MAX_LISTED) return classification;
  const errors = lossErrors(toldLosses(shape, engine, context), losses);
  const happened = filter(
    classification.findings,
    ({ rule, example }) => !errors.false.some((told) => told.rule === rule && told.example === example),
  );
  const onlyBack = filter(losses, ({ kind }) => kind === 'result');
  const findings = [...happened, ...untoldFindings([...errors.untold, ...onlyBack])];
  return { ...classification, findings: findings.sort(byLevel) };
}
