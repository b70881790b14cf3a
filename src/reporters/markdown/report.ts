/** The report for a pull request or a job summary: GitHub Flavored Markdown. */
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Report } from '../../model/report/report.ts';
import type { Wording } from '../../model/rules/wording.ts';
import { textOf } from '../blocks.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { recordingBlocks } from './ranking.ts';
import { payloadBlocks } from './section.ts';
import { prose } from './spans.ts';

export function markdownReport(report: Report, _options: RenderOptions, words: Wording): string {
  const payloads = report.payloads.flatMap((payload) => payloadBlocks(recordedSection(payload, words)));
  return textOf([
    ['## clone-prof'],
    ...recordingSections(report, words).flatMap(recordingBlocks),
    ...(payloads.length === 0 ? [[NO_PAYLOADS]] : payloads),
    [`<sub>${prose(machineFacts(report).join(' · '))}</sub>`],
  ]);
}
