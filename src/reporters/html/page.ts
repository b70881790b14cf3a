import type { Report } from '../../model/documents/report.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import type { Printed } from '../doc.ts';
import { answerNodes } from '../print/answer.ts';
import { headline } from '../print/headline.ts';
import { type AnswerRow, makeOverview, type Overview } from '../section/advice/answers.ts';
import type { Column } from '../section/model/columns.ts';
import type { RecordingSection } from '../section/model/model.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { compactJson } from '../text/json.ts';
import { chartMarkup } from './charts/chart.ts';
import { page } from './frame.ts';
import { breakable, html, type Markup, scrolling, sentenceMarkup, table, toneSign } from './markup/markup.ts';
import { nodesMarkup } from './nodes.ts';
import { noiseMarkup, payloadMarkup } from './section.ts';

export const htmlReport: Reporter<Report> = (report, _options, words) => {
  const overview = makeOverview(report);
  const sections = inOrder(report, overview).map((place) => {
    const payload = report.payloads[place]!;
    const section = recordedSection(payload, words, report.recordings);
    return {
      section,
      markup: payloadMarkup(answerNodes(payload, words), section, payloadAnchor(place), chartMarkup),
    };
  });
  return page({
    title: report.payloads.map(({ id }) => id).join(', ') || 'no payloads',
    heading: headline(report),
    about: ['clone-prof', ...(report.date === undefined ? [] : [report.date])],
    main: [
      overview === null ? null : overviewMarkup(overview),
      recordingSections(report, words).map(recordingMarkup),
      sections.length === 0 ? html`<p>${NO_PAYLOADS}</p>` : sections.map(({ markup }) => markup),
    ],
    facts: machineFacts(report),
    notes: sections.flatMap(({ section }) => noiseMarkup(section)),
    json: compactJson(report),
  });
};

/** @param json the document, which the page carries */
export const htmlText = ({ title, heading, about, body, facts }: Printed, json: string): string =>
  page({
    ...{ title, heading: sentenceMarkup(heading), about: ['clone-prof', ...about], facts, json },
    main: nodesMarkup(body, { of: title, draw: chartMarkup }),
  });

/** Places of payloads in the report: as in the table of contents, then those that are not in it. */
function inOrder({ payloads }: Report, overview: Overview | null): number[] {
  const first = overview?.rows.map(({ place }) => place) ?? [];
  return [...new Set([...first, ...payloads.keys()])];
}

function recordingMarkup(section: RecordingSection): Markup {
  const { file, program, facts, lead, charts, places, notes } = section;
  const ranked = section.sites.filter(({ head }) => head !== '').sort(byHead);
  const sites = table('Sites, most expensive first', ranked, { anchors: places.map(payloadAnchor) });
  return html`<section class="payload recording">
<h2>${breakable(file)}</h2>
<p class="muted">${sentenceMarkup(program)}${facts.map((fact) => ` · ${fact}`)}</p>
${lead.map((one) => html`<p>${sentenceMarkup(one)}</p>`)}${ranked.length === 0 ? null : sites}${charts.length === 0 ? null : html`<div class="charts">${charts.map((chart) => chartMarkup(chart, file))}</div>`}
<ul class="prose muted">${notes.map((note) => html`<li>${sentenceMarkup(note)}</li>`)}</ul>
</section>
`;
}

/** What a reader looks for is beside the name: on a phone the rest scrolls. The site's rank is its place. */
const FIRST_HEADS = ['site', 'do', 'cost', '%'];

function byHead({ head: a }: Column, { head: b }: Column): number {
  const rank = (head: string) =>
    FIRST_HEADS.includes(head) ? FIRST_HEADS.indexOf(head) : FIRST_HEADS.length;
  return rank(a) - rank(b);
}

/** Where the section of a payload is, by its place in the report. */
const payloadAnchor = (place: number): string => `payload-${place + 1}`;

/** The list of contents, with the next step of each payload. Gains and times stand in the sections. */
function overviewMarkup({ runtimes, rows }: Overview): Markup {
  const caption = `${rows.length} payloads on ${runtimes.length} ${runtimes.length === 1 ? 'runtime' : 'runtimes'}`;
  const heads = runtimes.map((name) => html`<th scope="col" class="runtime">${name}</th>`);
  return html`<nav aria-label="Payloads" id="index">${scrolling(
    html`<table class="contents"><caption>${caption}</caption><thead><tr><th scope="col" data-sort="name">payload</th><th scope="col" class="right" data-sort="cost" aria-sort="descending">a message, slowest</th>${heads}</tr></thead><tbody>${rows.map(rowMarkup)}</tbody></table>`,
  )}</nav>
`;
}

const rowMarkup = ({ id, place, cost, costText, cells }: Overview['rows'][number]): Markup =>
  html`<tr data-cost="${cost ?? -1}"><th scope="row"><a href="#${payloadAnchor(place)}">${breakable(id)}</a></th><td class="right">${costText}</td>${cells.map(cellMarkup)}</tr>`;

/** Colours mark failures and gains only. */
function cellMarkup(answer: AnswerRow | null): Markup {
  if (answer === null) return html`<td class="none">–</td>`;
  const { status, runtime, certainty, isRewrite, advice } = answer;
  const on = runtime ?? '';
  if (status.tone === 'bad') {
    return html`<td data-on="${on}"><span class="bad">${toneSign(status)} ${status.text}</span> ${advice}</td>`;
  }
  if (certainty === 'unsure') return html`<td data-on="${on}">? ${advice}</td>`;
  return isRewrite
    ? html`<td data-on="${on}"><span class="good">✓ ${advice}</span></td>`
    : html`<td data-on="${on}">${advice || status.text}</td>`;
}
