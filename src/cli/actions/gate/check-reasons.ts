import type { CheckFailure, CheckReport } from '../../../model/documents/check.ts';
import { factText } from '../../../reporters/check/facts.ts';
import { placeOf, problemGroups, problemsOf, severityOf } from '../../../reporters/check/texts.ts';
import { groupedBy } from '../../../reporters/text/grouped.ts';
import { headlineOf } from '../../session/reasons.ts';

/** "rows: rows.json: no such file": the name only where the error does not begin with it. */
export function failureReason({ payload, code, message }: CheckFailure): string {
  const text = headlineOf({ code, message });
  return text.startsWith(payload) ? text : `${payload}: ${text}`;
}

/** "rows on bun@1.4.5: class serialized, limit in-memory at $[1].geo"; limits with one shared cause in one line. */
export function checkReasons({ results, failures }: CheckReport): string[] {
  const errors = problemsOf(results).filter((result) => severityOf(result) === 'error');
  const broken = [...groupedBy(errors, placeOf).values()].flatMap(problemGroups).map((group) => {
    const [result] = group as [(typeof group)[number]];
    const { path, example } = result;
    const at = path === null ? '' : ` at ${example ?? path}`;
    // "baseline" is no limit of the user's: the payload and the baseline do not match.
    const limits = new Set(group.map(({ limit }) => limit));
    const names = [...limits].filter((limit) => limit !== 'baseline');
    const fact = headlineOf({ code: result.outcome, message: factText(result) });
    return `${placeOf(result)}: ${[names.join(', '), fact].filter(Boolean).join(' ')}${at}`;
  });
  return [...failures.map(failureReason), ...broken];
}
