/**
 * What all pages have: no script, no font, no image, nothing is fetched. A strict policy forbids all but the page's own style
 * sheet; the document itself is inside, as JSON that no browser runs.
 */
import { dataBlock, html, Markup, type Piece } from './markup.ts';
import { STYLE_SHEET, STYLE_SHEET_HASH } from './style-sheet.ts';

const POLICY = `default-src 'none'; style-src '${STYLE_SHEET_HASH}'; base-uri 'none'; form-action 'none'`;

export interface Page {
  title: string;
  heading: string;
  facts: readonly string[];
  main: Piece;
  /** JSON of the document that is shown. */
  json: string;
}

export function page({ title, heading, facts, main, json }: Page): string {
  const all = html`<!DOCTYPE html>
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
<header><h1>${heading}</h1><p class="muted">${facts.join(' · ')}</p></header>
<main>
${main}
</main>
<script type="application/json" id="report">${dataBlock(json)}</script>
</body>
</html>
`;
  return all.source;
}
