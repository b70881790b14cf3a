/**
 * What all pages have: no font, no image, nothing is fetched. A strict policy forbids all but the page's own style sheet and
 * its script, which only sorts; the document itself is inside, as JSON that no browser runs.
 */
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import { embedded } from '../text/embedded.ts';
import { dataBlock, html, Markup, type Piece } from './markup/markup.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH } from './page-script.ts';
import { PAGE_STYLE, PAGE_STYLE_HASH } from './page-style.ts';

const POLICY = `default-src 'none'; style-src '${PAGE_STYLE_HASH}'; script-src '${PAGE_SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;

const TEXTURE_OF: Partial<Record<CostClass, Markup>> = {
  serialized: html`<path d="M2,3H3.5"/>`,
  degraded: html`<path d="M-1,8L8,-1"/>`,
  rejected: html`<path d="M-1,8L8,-1M-1,-1L8,8"/>`,
};

export interface Page {
  title: string;
  heading: string;
  main: Piece;
  /** Where it was measured and by what: at the foot. */
  facts: readonly string[];
  /** What to keep in mind about the measurement: items of a list, below the facts. */
  notes?: readonly Markup[];
  /** JSON of the document that is shown. */
  json: string;
}

export function page({ title, heading, main, facts, notes = [], json }: Page): string {
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
${TEXTURES}<header><h1>${heading}</h1></header>
<main>
${main}
</main>
<footer><p>${facts.join(' · ')}</p>${notes.length === 0 ? null : html`<details><summary>Noise</summary><ul>${notes}</ul></details>`}</footer>
<script type="application/json" id="report">${dataBlock(embedded(json))}</script>
<script>${new Markup(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return all.source;
}

const texture = (name: CostClass, content: Markup | null): Markup =>
  html`<pattern id="${name}" width="7" height="7" patternUnits="userSpaceOnUse"><rect class="${name}" width="7" height="7"/>${content}</pattern>`;

/** Colours and textures of cost classes: told apart without colour. */
export const TEXTURES = html`<svg class="textures" aria-hidden="true" width="0" height="0"><defs>${COST_CLASSES.map((name) => texture(name, TEXTURE_OF[name] ?? null))}</defs></svg>
`;
