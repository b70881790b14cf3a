/** The report as one page. */

import type { Report } from '../../model/documents/report.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { overviewOf } from '../section/overview.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { compactJson } from '../text/json.ts';
import { page } from './frame.ts';
import { html } from './markup/markup.ts';
import { anchorOf, overviewMarkup } from './overview.ts';
import { recordingMarkup } from './ranking.ts';
import { noiseMarkup, payloadMarkup } from './section.ts';

export function htmlReport(report: Report, _options: RenderOptions, words: Wording): string {
  const sections = report.payloads.map((payload) => recordedSection(payload, words));
  const overview = overviewOf(report, words);
  return page({
    title: report.payloads.map(({ id }) => id).join(', ') || 'no payloads',
    heading: 'clone-prof',
    main: [
      overview === null ? null : overviewMarkup(overview),
      recordingSections(report, words).map(recordingMarkup),
      sections.length === 0
        ? html`<p>${NO_PAYLOADS}</p>`
        : sections.map((section, place) => payloadMarkup(section, anchorOf(place))),
    ],
    facts: machineFacts(report),
    notes: sections.flatMap(noiseMarkup),
    json: compactJson(report),
  });
}
