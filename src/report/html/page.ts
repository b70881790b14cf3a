/** Writes a printed document as an HTML page. A strict policy allows only its own style sheet and script. */
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { Printed } from '../doc.ts';
import { chartMarkup, TEXTURES } from './charts/charts.ts';
import { dataBlock, html, Markup, nodesMarkup, sentenceMarkup, tableMarkup } from './markup.ts';

/** Without fonts or images: nothing is fetched. */
const STYLE_SHEET = `
:root { color-scheme: light dark; --ink: #1c1f24; --muted: #565f6b; --paper: #fff; --card: #f7f8fa; --line: #dfe3e8; --edge: #0003; --under: var(--paper);
  --good: #0b7356; --fair: #80590a; --poor: #a8430c; --bad: #b5203b; --code: #0b5b9d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --muted: #9fa9b5; --paper: #14161a; --card: #1b1e23;
  --line: #343942; --edge: #fff4; --good: #55cba6; --fair: #dcb44a; --poor: #f5975f; --bad: #ff8194; --code: #7cc0f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0; letter-spacing: -.01em; } h2 { font-size: 1.35rem; line-height: 1.3; margin: 0; }
h3 { font-size: 1rem; margin: 1rem 0 0; }
header p, :is(h2, h3) + p { margin: .1rem 0 0; }
a { color: var(--code); }
h1, h2, h3, p, code, pre, summary, figcaption, .prose { overflow-wrap: anywhere; } td, th, td code, th code { overflow-wrap: break-word; }
.muted, caption, footer { color: var(--muted); }
.payload { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); scroll-margin-top: 0; }
.payload:nth-of-type(n + 6) { content-visibility: auto; contain-intrinsic-size: auto 40rem; }
.block { margin: .75rem 0; } .block p { margin: .2rem 0; }
.good { color: var(--good); } .fair { color: var(--fair); } .poor { color: var(--poor); } .bad { color: var(--bad); }
dl { display: grid; grid-template-columns: 6.5rem 1fr; gap: .5rem 1rem; margin: 1rem 0; }
dt { color: var(--muted); } dd { margin: 0; min-width: 0; } dd p { margin: .3rem 0; }
dd.strong { font-weight: 600; }
code, pre { font: .9em/1.5 ui-monospace, Consolas, monospace; }
code { color: var(--code); } :is(h2, pre) code { color: inherit; } pre code { font-size: 1em; }
pre { margin: .5rem 0 1rem; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper);
  white-space: pre-wrap; } .copied { position: relative; }
.tools { float: right; margin: -.3rem -.4rem .3rem 1rem; display: flex; gap: .4rem; font: .8rem/1.4 system-ui, sans-serif; }
.tools button { font: inherit; color: var(--code); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; cursor: pointer; min-height: 24px; }
.scroll { overflow-x: auto; background: linear-gradient(to left, var(--under) 45%, transparent) right / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--edge), transparent) right 2px top 2px / 1rem calc(100% - 4px) no-repeat scroll; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .3rem 1.2rem .3rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th { font-weight: 500; color: var(--muted); } tbody th { color: inherit; } td, tbody th { min-width: 6.5rem; }
.r2 :is(td, th):nth-child(2), .r3 :is(td, th):nth-child(3), .r4 :is(td, th):nth-child(4), .r5 :is(td, th):nth-child(5), .r6 :is(td, th):nth-child(6),
  .r7 :is(td, th):nth-child(7), .r8 :is(td, th):nth-child(8), .r9 :is(td, th):nth-child(9), .r10 :is(td, th):nth-child(10), .r11 :is(td, th):nth-child(11), .r12 :is(td, th):nth-child(12) { text-align: right; white-space: nowrap; }
figure { margin: .5rem 0; }
details { margin-top: .4rem; } summary { cursor: pointer; color: var(--muted); font-size: .9rem; padding: .1rem 0; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .85rem; }
@media (max-width: 40rem) { table, :is(tbody, tr, th) { display: block; } .scroll { background: none; } thead, td:empty { display: none; }
  tr { padding: .3rem 0; border-bottom: 1px solid var(--line); } :is(th, td) { border: 0; padding: 0; min-width: 0; } td { display: inline-block; margin-right: .9em; }
  td:not([data-head=""])::before { content: attr(data-head) ": "; color: var(--muted); }
  body { padding: 1.25rem 1rem 3rem; } dl { grid-template-columns: 1fr; gap: .1rem; } dd { margin-bottom: .6rem; } }
@media print { body { max-width: none; } pre { break-inside: avoid; } .tools, details:not([open]) { display: none; } .payload { break-inside: avoid-page; } }
`;

const CHART_STYLE = `
:root { --accent: #0b5b9d; --shared: #bfe6d6; --moved: #bfe6d6; --in-memory: #cbe2f6; --bulk: #c9ecef; --serialized: #f4e8c6;
  --degraded: #f9cfa9; --rejected: #f6b9c2; }
@media (prefers-color-scheme: dark) { :root { --accent: #7cc0f5; --shared: #1d4d3e; --moved: #1d4d3e; --in-memory: #1d4363;
  --bulk: #15494e; --serialized: #4b4120; --degraded: #643a17; --rejected: #66232f; } }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 2rem 2.5rem; margin: 1.5rem 0; }
.chart { min-width: 0; margin: 0; } :is(.payload, .payload > details) > .chart { margin: 1rem 0; } .chart.icicle { grid-column: 1 / -1; } .chart.forest { grid-row: span 2; }
.chart > svg { display: block; margin: .75rem 0 .4rem; } svg .at { overflow: visible; }
figcaption { font-weight: 600; font-size: .95rem; }
.chart text { font: 12.5px/1 system-ui, sans-serif; fill: var(--ink); } .chart .value { text-anchor: end; fill: currentColor; }
.axis text { text-anchor: middle; } .axis [text-anchor=start] { text-anchor: start; } .axis [text-anchor=end] { text-anchor: end; }
.axis line { stroke: var(--line); } .chart .axis text { fill: var(--muted); font-size: 11.5px; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .2rem 0; padding: 0; list-style: none; font-size: .82rem; color: var(--muted); }
.legend svg { vertical-align: -1px; overflow: visible; }
.point line, .now line, .best line { stroke: currentColor; stroke-width: 1.5; }
:is(.point, .now, .best) path { fill: currentColor; }
.legend g path { fill: currentColor; } .legend path { fill: var(--muted); }
.band { fill: var(--line); opacity: .55; } .one { stroke: var(--muted); stroke-width: 1.5; }
.now { color: var(--muted); } .best { color: var(--good); }
.saved { stroke: var(--good); stroke-width: 4; stroke-opacity: .35; }
.chart .floor { fill: none; stroke: var(--muted); stroke-width: 1.5; }
.hill { fill: currentColor; fill-opacity: .22; stroke: currentColor; stroke-width: 1.5; vector-effect: non-scaling-stroke; } .best .hill { stroke-dasharray: 4 2; }
.chart .p95 { stroke: var(--ink); stroke-width: 1.75; stroke-dasharray: 5 2; }
.textures { position: absolute; } pattern path { stroke: var(--ink); stroke-opacity: .25; fill: none; }
.row text { paint-order: stroke; stroke: var(--under); stroke-width: 4px; stroke-linejoin: round; } .chart .value.good { font-weight: 600; }
pattern .shared { fill: var(--shared); } pattern .moved { fill: var(--moved); } pattern .in-memory { fill: var(--in-memory); }
pattern .bulk { fill: var(--bulk); } pattern .serialized { fill: var(--serialized); } pattern .degraded { fill: var(--degraded); }
pattern .rejected { fill: var(--rejected); }
.cells rect { width: 100%; height: 100%;  stroke: var(--card); } .cells .blocker, .legend .blocker { fill: none; stroke: var(--bad); stroke-width: 3; }
.cells text { pointer-events: none; } .cells .blocked { font-weight: 700; } .cells svg:focus { outline: none; }
.readout:empty { display: none; } .readout { min-height: 1.4em; color: var(--muted); margin: 0; font-size: .85rem; overflow-wrap: anywhere; }
.cells svg:focus rect { stroke: var(--accent); stroke-width: 5; }
@media print { .charts { display: block; } .chart { break-inside: avoid; margin-bottom: 1.25rem; } .readout, .chart details:not([open]) { display: none; } }
`;

/** Style of charts of curves and of times. The seven colours have a contrast of 3:1 on both papers. */
const CURVES_STYLE = `
:root { --s0: #1c1f24; --s1: #0b62b0; --s2: #b34a00; --s3: #17803f; --s4: #8a2be2; --s5: #8a6100; --s6: #c2185b; }
@media (prefers-color-scheme: dark) { :root { --s0: #e6e8eb; --s1: #6db8f7; --s2: #f59a5c; --s3: #5fc98a; --s4: #c79bff;
  --s5: #e0bc55; --s6: #ff86b3; } }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); } .s4 { --c: var(--s4); }
.s5 { --c: var(--s5); } .s6 { --c: var(--s6); }
main > h2 { margin-top: 1.5rem; } .payload > h3:first-child { margin: 0; }
@media (min-width: 60rem) { .payload:has(> .curves) { display: grid; grid-template-columns: minmax(0, 1fr) 32rem; gap: 0 2.5rem; align-items: start; }
  .payload:has(> .curves) > :not(ul, .curves) { grid-column: 1 / -1; } }
.chart.curves { max-width: 32rem; } .curves svg { width: 100%; } .curves .legend svg { width: auto; }
.chart.curves text, .chart.curves .axis text { font-size: 12px; }
.curves .interval { fill: none; stroke: var(--c); stroke-opacity: .55; }
.curves .line { fill: none; stroke: var(--c); stroke-width: 1.8; stroke-linejoin: round; }
.curves .mark { fill: var(--c); stroke: var(--paper); stroke-width: .8; }
.curves .mark.open { fill: var(--paper); stroke: var(--c); stroke-width: 1.5; }
.crossing line { stroke: var(--c); stroke-dasharray: 1 3; }
`;

/** The playground has it too (scripts/build.mjs). */
export const PAGE_STYLE = `${STYLE_SHEET}${CHART_STYLE}${CURVES_STYLE}`;

/** If scripts are off, the browser shows the names of parts under the pointer. */
export const PAGE_SCRIPT = `
for (const block of document.querySelectorAll('pre.copied')) {
  const code = block.querySelector('code').textContent;
  const tools = document.createElement('span');
  tools.className = 'tools';
  const add = (text, act) => {
    const button = document.createElement('button');
    button.textContent = text;
    button.ariaLabel = text + ' ' + block.dataset.file;
    button.addEventListener('click', () => act(button));
    tools.append(button);
  };
  add('Copy', async (button) => {
    await navigator.clipboard.writeText(code).then(() => {
      button.textContent = 'Copied';
    }, () => getSelection().selectAllChildren(block.querySelector('code')));
  });
  add('Download', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([code + '\\n'], { type: 'text/plain' }));
    link.download = block.dataset.file;
    link.click();
    URL.revokeObjectURL(link.href);
  });
  block.prepend(tools);
}
document.querySelectorAll('.readout').forEach((readout, at) => {
  readout.textContent = at === 0 ? 'Point at a part, or go there with Tab, to see its path.' : '\u00a0';
});
for (const kind of ['focusin', 'pointerover']) {
  document.addEventListener(kind, ({ target }) => {
    const title = target.closest?.('.cells svg')?.querySelector('title');
    if (title) title.closest('figure').querySelector('.readout').textContent = title.textContent;
  });
}
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = `default-src 'none'; style-src ${hashOf(PAGE_STYLE)}; script-src ${hashOf(PAGE_SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** Maximum length of uncompressed JSON: a longer document would be the larger part of its page. */
const MAX_LENGTH = 64_000;

/** Long JSON becomes a JSON string with the base64 text of its raw deflate (RFC 1951). */
const embedded = (json: string): string =>
  json.length <= MAX_LENGTH ? json : JSON.stringify(deflateRawSync(json).toString('base64'));

export function htmlText({ title, heading, date, contents, body, facts }: Printed, json: string): string {
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
${contents && html`<nav aria-label="Payloads" id="index">${tableMarkup(contents)}</nav>\n`}${nodesMarkup(body, { of: title, draw: chartMarkup })}
</main>
${facts.length > 0 && html`<footer><p>${facts.join(' · ')}</p></footer>`}
<script type="application/json" id="report">${dataBlock(embedded(json))}</script>
<script>${new Markup(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return all.source;
}
