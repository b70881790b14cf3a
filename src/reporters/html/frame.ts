/**
 * What all pages have: no font, no image, nothing is fetched. A strict policy forbids all but the page's own style sheet and
 * its script, which only sorts; the document itself is inside, as JSON that no browser runs.
 */

import { deflateRawSync } from 'node:zlib';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import { dataBlock, html, Markup, type Piece } from './markup/markup.ts';
import { PAGE_STYLE, PAGE_STYLE_HASH } from './style-sheet.ts';

/**
 * Sorts the index of a page by its heads, and writes the name of a part below its drawing. Without it the index is sorted by
 * cost, and the browser shows names where the pointer is.
 */
export const PAGE_SCRIPT = `
for (const head of document.querySelectorAll('th[data-sort]')) {
  const button = document.createElement('button');
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener('click', () => {
    const isUp = head.ariaSort ? head.ariaSort === 'descending' : head.dataset.sort === 'name';
    for (const other of head.parentElement.children) other.ariaSort = null;
    head.ariaSort = isUp ? 'ascending' : 'descending';
    const body = head.closest('table').tBodies[0];
    const order = head.dataset.sort === 'name'
      ? (a, b) => a.cells[0].textContent.localeCompare(b.cells[0].textContent, 'en')
      : (a, b) => a.dataset.cost - b.dataset.cost;
    body.append(...[...body.rows].sort((a, b) => (isUp ? order(a, b) : order(b, a))));
  });
}
for (const readout of document.querySelectorAll('.readout')) readout.textContent = 'Point at a part, or go there with Tab, to see its path.';
for (const kind of ['focusin', 'pointerover']) {
  document.addEventListener(kind, ({ target }) => {
    const title = target.closest?.('.cells svg')?.querySelector('title');
    if (title) title.closest('figure').querySelector('.readout').textContent = title.textContent;
  });
}
`;

/** The only script that the page's policy allows. test/reporters/html computes the hash again. */
const PAGE_SCRIPT_HASH = 'sha256-hh3U3aw97Pik0a6QJUURRe2X+TqF9TyXJLgYDbAqtaU=';

const POLICY = `default-src 'none'; style-src '${PAGE_STYLE_HASH}'; script-src '${PAGE_SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;

const TEXTURE_OF: Partial<Record<CostClass, Markup>> = {
  serialized: html`<path d="M2,3H3.5"/>`,
  degraded: html`<path d="M-1,8L8,-1"/>`,
  rejected: html`<path d="M-1,8L8,-1M-1,-1L8,8"/>`,
};

interface Page {
  title: string;
  heading: string;
  main: Piece;
  facts: readonly string[];
  /** What to keep in mind about the measurement: items of a list, below the facts. */
  notes?: readonly Markup[];
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

/** A longer document would be the larger part of its page. */
const MAX_LENGTH = 64_000;

/**
 * A JSON document for inside a page: itself, or where it is long a JSON string with the base64 text of its raw deflate
 * (RFC 1951).
 */
const embedded = (json: string): string =>
  json.length <= MAX_LENGTH ? json : JSON.stringify(deflateRawSync(json).toString('base64'));
