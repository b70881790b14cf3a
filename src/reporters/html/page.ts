/** The report as one page. */
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Report } from '../../model/report/report.ts';
import type { Wording } from '../../model/rules/wording.ts';
import { jsonReport } from '../json.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { page } from './frame.ts';
import { html } from './markup.ts';
import { recordingMarkup } from './ranking.ts';
import { payloadMarkup } from './section.ts';

export function htmlReport(report: Report, _options: RenderOptions, words: Wording): string {
  const payloads = report.payloads.map((payload) => payloadMarkup(recordedSection(payload, words)));
  const recordings = recordingSections(report, words).map(recordingMarkup);
  return page({
    title: report.payloads.map(({ id }) => id).join(', ') || 'no payloads',
    heading: 'clone-prof',
    facts: machineFacts(report),
    main: [recordings, payloads.length === 0 ? html`<p>${NO_PAYLOADS}</p>` : payloads],
    json: jsonReport(report),
  });
}
