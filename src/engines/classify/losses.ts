/** Compares the losses that the rules predict with the losses of a real delivery, path by path. */

import type { Finding } from '../../model/documents/classification.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { isJson } from '../../model/names.ts';
import {
  type Classification,
  type Engine,
  LOSS_KINDS,
  type LossKind,
  type Rule,
} from '../../model/rules/rule.ts';
import { sumOf } from '../../model/sums.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import type { RealLoss } from '../../model/wire/wire.ts';
import { filter, map } from '../../value/read/lists.ts';
import { pathFits } from '../../value/read/paths.ts';
import { isReference } from '../../value/shape/shape-facts.ts';
import { byLevel } from './classify.ts';
import { findMatches, outcomeFor, type PostContext, pathsFor } from './match.ts';

/** A predicted loss: `count` values at the pattern lose one of these kinds. */
type ToldLoss = Pick<Facts, 'pattern' | 'example' | 'count'> & { rule: string; kinds: readonly LossKind[] };

const ABOUT_REFERENCES: readonly Flag[] = ['repeated', 'cycle', 'after-bigint'];

/** A further reference repeats the facts of its object, whose losses count once; only rules about references apply. */
function concernsRow({ when }: Rule, facts: Facts): boolean {
  if (!isReference(facts)) return true;
  const wanted = [when].flat().flatMap(({ all = [], any = [] }) => [...all, ...any]);
  return wanted.some((flag) => ABOUT_REFERENCES.includes(flag));
}

export function toldLosses(shape: Shape, engine: Engine, context: PostContext) {
  const matches = findMatches(shape, engine.rules, context);
  const { version } = context.runtime;
  const inForce = outcomeFor(pathsFor(shape, engine, context), matches, context, version).matches;
  return inForce.flatMap(({ rule, facts }): ToldLoss[] => {
    const kinds: LossKind[] = rule.level === 'rejected' ? ['delivery'] : [rule.loses ?? []].flat();
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
  const untold = real.filter((loss) => told.every((one) => lossPlace(one, loss) === null));
  const wrong = told.filter((one) => {
    const owners = new Set(real.flatMap((loss) => lossPlace(one, loss) ?? []));
    const moot = real.some((loss) => replaces(loss, one.example));
    return !moot && (!owners.has(one.example) || owners.size < one.count);
  });
  return { untold: [...untold, ...unexplained(told, real)], false: wrong };
}

/** Real losses at a pattern if more of its values lose something than all rules predict. */
function unexplained(told: readonly ToldLoss[], real: readonly RealLoss[]): RealLoss[] {
  return LOSS_KINDS.flatMap((kind) => {
    const losses = real.filter((loss) => loss.kind === kind);
    const owners = new Map(losses.map((loss) => [loss.owner, loss]));
    return [...owners.values()].filter((loss) => {
      const fitting = told.filter((one) => lossPlace(one, loss) !== null);
      const [first] = fitting;
      if (first === undefined) return false;
      // Losses that another rule predicts do not count, as of an undefined property next to an element with a symbol key.
      const isAlike = (other: RealLoss) =>
        told.every((one) => fitting.includes(one) || lossPlace(one, other) === null);
      const there = losses.filter((other) => pathFits(first.pattern, other.owner) && isAlike(other));
      return new Set(there.map(({ owner }) => owner)).size > sumOf(fitting, ({ count }) => count);
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
