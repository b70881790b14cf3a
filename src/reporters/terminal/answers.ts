/** The answers alone: a row for each payload and runtime, and for each site of a recording. */

import type { Report } from '../../model/documents/report.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { answerColumns, answersOf } from '../section/advice/answers.ts';
import { NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { textOf } from '../text/blocks.ts';
import { wrapped } from './layout.ts';
import { terminalStyle } from './style.ts';
import { table } from './table.ts';

/** Ends in a line end. */
export function terminalAnswers(report: Report, options: RenderOptions, words: Wording): string {
  const style = terminalStyle(options);
  const payloads = report.payloads.filter(({ traffic }) => traffic === undefined);
  const answers = answersOf({ payloads }, words);
  const recordings = recordingSections(report, words).map(({ lead, sites }) => [
    ...lead.flatMap((one) => wrapped(style.sentence(one), style.columns)),
    ...table(sites, style.columns, style),
  ]);
  const none = report.payloads.length === 0 ? [NO_PAYLOADS] : [];
  const rows = answers.length === 0 ? none : table(answerColumns(answers, true), style.columns, style);
  return textOf([...recordings, rows]);
}
