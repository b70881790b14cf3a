/**
 * The report as one page: no script, no font, no image, nothing is fetched. A strict policy forbids all but the page's
 * own style sheet; the report itself is inside, as JSON that no browser runs.
 */
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Report } from '../../model/report/report.ts';
import type { Wording } from '../../model/rules/wording.ts';
import { jsonReport } from '../json.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { dataBlock, html, Markup, type Piece } from './markup.ts';
import { recordingMarkup } from './ranking.ts';
import { payloadMarkup } from './section.ts';
import { STYLE_SHEET, STYLE_SHEET_HASH } from './style-sheet.ts';

const POLICY = `default-src 'none'; style-src '${STYLE_SHEET_HASH}'; base-uri 'none'; form-action 'none'`;

/** @param json of the document itself, which `report` reads again */
interface Page {
  title: string;
  facts: readonly string[];
  main: Piece;
  json: string;
}

export function page({ title, facts, main, json }: Page): string {
  const { source } = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${POLICY}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>clone-prof: ${title}</title>
<style>${new Markup(STYLE_SHEET)}</style>
</head>
<body>
<header><h1>clone-prof</h1>${facts.length === 0 ? null : html`<p class="muted">${facts.join(' · ')}</p>`}</header>
<main>
${main}
</main>
<script type="application/json" id="report">${dataBlock(json)}</script>
</body>
</html>
`;
  return source;
}

export function htmlReport(report: Report, _options: RenderOptions, words: Wording): string {
  const payloads = report.payloads.map((payload) => payloadMarkup(recordedSection(payload, words)));
  const recordings = recordingSections(report, words).map(recordingMarkup);
  return page({
    title: report.payloads.map(({ id }) => id).join(', ') || 'no payloads',
    facts: machineFacts(report),
    main: [recordings, payloads.length === 0 ? html`<p>${NO_PAYLOADS}</p>` : payloads],
    json: jsonReport(report),
  });
}
