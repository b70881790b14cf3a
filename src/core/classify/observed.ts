/** What a real post lost, beside what the rules say of it. */
import type { Finding } from '../../model/documents/classification.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { RealLoss } from '../../model/rules/loss.ts';
import type { Classification, Engine, RuleBook } from '../../model/rules/rule.ts';
import { filter } from '../value/lists.ts';
import { lossErrors, toldLosses } from './losses.ts';
import type { PostContext } from './match.ts';

/** More are not listed one by one, so that a rule whose loss is not among them may be right. */
const MAX_LISTED = 100;

/** Node keeps the state of its own objects under symbols such as kHandle, which are not the user's. */
const HOST_STATE = /^property Symbol\(k[A-Z]\w*\):/;

/** As the post shows it: without findings of losses that did not happen. */
export interface ObservedClassification extends Classification {
  /** Losses that no rule tells. */
  untold: RealLoss[];
}

/** @param losses seen; null where none could be */
export function withObservedLosses(
  classification: Classification,
  shape: Shape,
  losses: readonly RealLoss[] | null,
  { engine, spec, context }: { engine: Engine; spec: RuleBook; context: PostContext },
): ObservedClassification {
  if (losses === null || losses.length > MAX_LISTED) return { ...classification, untold: [] };
  const errors = lossErrors(toldLosses(shape, engine, spec, context), losses);
  const isFalse = ({ rule, example }: Finding) =>
    errors.false.some((told) => told.rule === rule && told.example === example);
  return {
    ...classification,
    findings: filter(classification.findings, (finding) => !isFalse(finding)),
    untold: filter(errors.untold, ({ what }) => !HOST_STATE.test(what)),
  };
}
