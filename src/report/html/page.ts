/** Writes a printed document as an HTML page. A strict policy allows only its own style sheet and script. */
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import type { Chart, ChartOf, Printed } from '../doc.ts';
import { curvesFigure } from './charts/curves.ts';
import { icicleFigure } from './charts/icicle.ts';
import { forestFigure, timelineFigure, timesFigure } from './charts/rows.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './frame.ts';
import { dataBlock, html, Markup, nodesMarkup, sentenceMarkup } from './markup.ts';

const FIGURES: { [Kind in Chart['kind']]: (chart: ChartOf<Kind>) => Markup } = {
  ...{ times: timesFigure, forest: forestFigure, timeline: timelineFigure },
  ...{ icicle: icicleFigure, curves: curvesFigure },
};

export const chartMarkup = (chart: Chart, of?: string): Markup =>
  (FIGURES[chart.kind] as (of: Chart) => Markup)(of === undefined ? chart : { ...chart, of });

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = `default-src 'none'; style-src ${hashOf(PAGE_STYLE)}; script-src ${hashOf(PAGE_SCRIPT)}; base-uri 'none'; form-action 'none'`;

const TEXTURE_OF: Partial<Record<CostClass, Markup>> = {
  serialized: html`<path d="M2,3H3.5"/>`,
  degraded: html`<path d="M-1,8L8,-1"/>`,
  rejected: html`<path d="M-1,8L8,-1M-1,-1L8,8"/>`,
};

const texture = (name: CostClass): Markup =>
  html`<pattern id="${name}" width="7" height="7" patternUnits="userSpaceOnUse"><rect class="${name}" width="7" height="7"/>${TEXTURE_OF[name]}</pattern>`;

/** Colours and textures of cost classes, which can be distinguished without colour. */
export const TEXTURES = html`<svg class="textures" aria-hidden="true" width="0" height="0"><defs>${COST_CLASSES.map(texture)}</defs></svg>
`;

/** Maximum length of uncompressed JSON: a longer document would be the larger part of its page. */
const MAX_LENGTH = 64_000;

/** Long JSON becomes a JSON string with the base64 text of its raw deflate (RFC 1951). */
const embedded = (json: string): string =>
  json.length <= MAX_LENGTH ? json : JSON.stringify(deflateRawSync(json).toString('base64'));

/** @param json of the document: the page embeds it */
export function htmlText({ title, heading, date, body, facts }: Printed, json: string): string {
  const all = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${POLICY}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>clone-prof: ${title}</title>
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
${TEXTURES}<header><h1>${sentenceMarkup(heading)}</h1><p class="muted">clone-prof${date !== undefined && ` · ${date}`}</p></header>
<main>
${nodesMarkup(body, { of: title, draw: chartMarkup })}
</main>
${facts.length > 0 && html`<footer><p>${facts.join(' · ')}</p></footer>`}
<script type="application/json" id="report">${dataBlock(embedded(json))}</script>
<script>${new Markup(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return all.source;
}
