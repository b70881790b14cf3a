/** What the rules say is lost, against what a real delivery lost, path by path. */

import type { Finding } from '../../model/documents/classification.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { isJson } from '../../model/names.ts';
import { LOSS_KINDS, type LossKind } from '../../model/rules/loss.ts';
import type { Classification, Engine, Rule, RuleBook } from '../../model/rules/rule.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import type { RealLoss } from '../../model/wire/wire.ts';
import { pathFits } from '../paths.ts';
import { isReference } from '../shape-facts.ts';
import { filter, map } from '../value/lists.ts';
import { byLevel } from './classify.ts';
import { findMatches, type PostContext } from './match.ts';
import { outcomeFor, pathsFor } from './verdict.ts';

/** A loss that the rules tell: `count` values at the pattern lose one of these kinds. */
interface ToldLoss {
  rule: string;
  kinds: readonly LossKind[];
  pattern: string;
  example: string;
  count: number;
}

export interface LossErrors {
  /** Real losses that no rule tells. */
  untold: RealLoss[];
  /** Told losses that did not happen. */
  false: ToldLoss[];
}

const ABOUT_REFERENCES: readonly Flag[] = ['repeated', 'cycle', 'after-bigint'];

/** A second reference has the facts of the object, which are lost once, and rules of its own. */
function concernsRow({ when }: Rule, facts: Facts): boolean {
  if (!isReference(facts)) return true;
  const wanted = [when].flat().flatMap(({ all = [], any = [] }) => [...all, ...any]);
  return wanted.some((flag) => ABOUT_REFERENCES.includes(flag));
}

/** Losses that the rules tell for this payload, a row for each row of facts. */
export function toldLosses(shape: Shape, engine: Engine, standard: RuleBook, context: PostContext) {
  const matches = findMatches(shape, [engine.rules, standard.rules], context);
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

/** Where a rule tells the loss: at the object that lost it, or at the property that it lost; null for another loss. */
function lossPlace({ kinds, pattern }: ToldLoss, { kind, owner, path }: RealLoss): string | null {
  if (!kinds.includes(kind)) return null;
  return [owner, path].find((place) => pathFits(pattern, place)) ?? null;
}

/** Another value arrived in its place, or nothing, so nothing else about it can be compared. */
const replaces = ({ kind, path, owner }: RealLoss, at: string) =>
  (kind === 'property' && path !== owner && at.startsWith(path)) ||
  (kind === 'value' && path === owner && at.startsWith(owner));

/**
 * Told and real losses of one payload. Of several values at one pattern only the first is known by its path, so their
 * number is compared.
 */
export function lossErrors(told: readonly ToldLoss[], real: readonly RealLoss[]): LossErrors {
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

/** More values of a pattern lose something than all rules together tell. */
function unexplained(told: readonly ToldLoss[], real: readonly RealLoss[]): RealLoss[] {
  return LOSS_KINDS.flatMap((kind) => {
    const owners = new Map(real.filter((loss) => loss.kind === kind).map((loss) => [loss.owner, loss]));
    return [...owners.values()].filter((loss) => {
      const fitting = told.filter((one) => lossPlace(one, loss) !== null);
      const [first] = fitting;
      if (first === undefined) return false;
      const there = [...owners.keys()].filter((owner) => pathFits(first.pattern, owner)).length;
      return there > fitting.reduce((sum, { count }) => sum + count, 0);
    });
  });
}

/** More are not listed one by one, so that a rule whose loss is not among them may be right. */
const MAX_LISTED = 100;

/** Node keeps the state of its own objects under symbols such as kHandle, which are not the user's. */
const HOST_STATE = /^property Symbol\(k[A-Z]\w*\):/;

/** Of what only a real post shows. */
export const UNTOLD = 'spec/changed-on-arrival';

/** One finding for each place. */
function untoldFindings(losses: readonly RealLoss[]): Finding[] {
  const shown = filter(losses, ({ what }) => !HOST_STATE.test(what));
  const places = new Map(map(shown, (loss) => [loss.path, loss]));
  return map([...places.values()], ({ path, what }) => ({
    ...{ rule: UNTOLD, level: 'lossy' as const, path, count: 1, example: path, what },
  }));
}

/**
 * As the post shows it: without findings of losses that did not happen, and with those that no rule tells.
 *
 * @param losses seen; null where none could be
 */
export function withObservedLosses(
  classification: Classification,
  shape: Shape,
  losses: readonly RealLoss[] | null,
  { engine, spec, context }: { engine: Engine; spec: RuleBook; context: PostContext },
): Classification {
  if (losses === null || losses.length > MAX_LISTED) return classification;
  const errors = lossErrors(toldLosses(shape, engine, spec, context), losses);
  const happened = filter(
    classification.findings,
    ({ rule, example }) => !errors.false.some((told) => told.rule === rule && told.example === example),
  );
  const findings = [...happened, ...untoldFindings(errors.untold)];
  return { ...classification, findings: findings.sort(byLevel) };
}
