/** The report for a pull request or a job summary, in GitHub Flavored Markdown: the answers, and below them the reasons, folded. */

import type { Report } from '../../model/documents/report.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { answerColumns, answersOf } from '../section/advice/answers.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { textOf } from '../text/blocks.ts';
import { recordingBlocks } from './ranking.ts';
import { alarmBlocks, payloadBlocks } from './section.ts';
import { prose } from './spans.ts';
import { table } from './table.ts';

export function markdownReport(report: Report, _options: RenderOptions, words: Wording): string {
  const sections = report.payloads.map((payload) => recordedSection(payload, words));
  const payloads = report.payloads.filter(({ traffic }) => traffic === undefined);
  return textOf([
    ['## clone-prof'],
    ...recordingSections(report, words).flatMap(recordingBlocks),
    table(answerColumns(answersOf({ payloads }, words), true)),
    ...sections.flatMap(alarmBlocks),
    ...sections.flatMap(payloadBlocks),
    sections.length === 0 ? [NO_PAYLOADS] : [],
    [`<sub>${prose(machineFacts(report).join(' · '))}</sub>`],
  ]);
}
