import type { CheckReport, LimitResult } from '../../model/documents/check.ts';
import { CHECKED } from '../../model/gate/limits.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { type SarifFinding, sarifDocument } from '../sarif/document.ts';
import { LIMIT_WORDS, placeOf, problemsOf, sentence, severityOf } from './texts.ts';

/** Errors and warnings; limits that passed are not listed. */
export const checkSarif: Reporter<CheckReport> = ({ failures, results }, _options, words) =>
  sarifDocument({
    rules: CHECKED.map((id) => ({ id, title: LIMIT_WORDS[id] })),
    findings: problemsOf(results).map((result) => findingOf(result, words)),
    failures: failures.map(({ payload, file, message }) => ({ text: `${payload}: ${message}`, file })),
  });

function findingOf(result: LimitResult, words: Wording): SarifFinding {
  const { limit, file, line, path, example, payload, runtime, channel, rule } = result;
  return {
    rule: limit,
    level: severityOf(result) ?? 'none',
    text: `${placeOf(result)}: ${sentence(result, words)}`,
    place: { file, line, path: example ?? path },
    fingerprint: ['limit/v1', [payload, runtime, channel, limit, path ?? '', rule ?? '']],
  };
}
