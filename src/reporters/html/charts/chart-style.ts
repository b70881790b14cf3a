/** What charts add to the style sheet. */
export const CHART_STYLE = `
:root { --accent: #0b5b9d; --shared: #bfe6d6; --moved: #bfe6d6; --in-memory: #cbe2f6; --bulk: #c9ecef; --serialized: #f4e8c6;
  --degraded: #f9cfa9; --rejected: #f6b9c2; }
@media (prefers-color-scheme: dark) { :root { --accent: #7cc0f5; --shared: #1d4d3e; --moved: #1d4d3e; --in-memory: #1d4363;
  --bulk: #15494e; --serialized: #4b4120; --degraded: #643a17; --rejected: #66232f; } }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 2rem 2.5rem; margin: 1.5rem 0; }
.chart { min-width: 0; margin: 0; } .payload > .chart { margin: 1.25rem 0; } .chart.icicle { grid-column: 1 / -1; } .chart.forest { grid-row: span 2; }
.chart > svg { display: block; margin: .75rem 0 .4rem; } svg .at { overflow: visible; }
figcaption { font-weight: 600; font-size: .95rem; }
.chart text { font: 12.5px/1 system-ui, sans-serif; fill: var(--ink); } .chart .value { text-anchor: end; fill: currentColor; }
.chart tspan.name { font-weight: 600; } .chart tspan { fill: currentColor; } .chart tspan.name { fill: var(--ink); }
.axis text { text-anchor: middle; } .axis [text-anchor=start] { text-anchor: start; } .axis [text-anchor=end] { text-anchor: end; }
.axis line { stroke: var(--line); } .chart .axis text { fill: var(--muted); font-size: 11.5px; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .2rem 0; padding: 0; list-style: none; font-size: .82rem; color: var(--muted); }
.legend svg { vertical-align: -1px; overflow: visible; }
.point line, .now line, .best line { stroke: currentColor; stroke-width: 1.5; }
.point :is(path, circle), .now :is(path, circle), .best :is(path, circle) { fill: currentColor; }
.legend [class]::before { content: ""; display: inline-block; width: 16px; margin-right: .4em; text-align: center; }
.legend .part::before { height: 11px; vertical-align: -1px; border: 1px solid var(--muted); }
.legend .p0::before { background: var(--accent); } .legend .p1::before { background: var(--line); } .legend .p2::before { background: var(--good); }
.legend .p3::before { border-style: dashed; }
.legend .is-now::before { content: "●"; } .legend .is-best::before { content: "◆"; color: var(--good); } .legend .is-floor::before { content: "I"; font-family: ui-monospace, monospace; }
.legend .line::before { width: 0; height: 12px; vertical-align: -2px; margin: 0 .6em; border-left: 2px solid var(--ink); }
.legend .line.floor::before { border-left: 2px dotted var(--muted); } .legend .line.p95::before { border-left-style: dashed; }
.legend .line.best::before { border-left: 3px solid var(--good); }
.legend path { fill: var(--muted); }
.band { fill: var(--line); opacity: .55; } .one { stroke: var(--muted); stroke-width: 1.5; }
.now { color: var(--muted); } .best { color: var(--good); }
.saved { stroke: var(--good); stroke-width: 4; stroke-opacity: .35; }
.chart .floor { fill: none; stroke: var(--muted); stroke-width: 1.5; }
.hill { fill: var(--accent); fill-opacity: .22; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.hill.best { fill: var(--good); stroke: var(--good); stroke-dasharray: 4 2; }
.mark { stroke: var(--ink); stroke-width: 1.75; } .mark.p95 { stroke-dasharray: 5 2; } .mark.floor { stroke: var(--muted); stroke-dasharray: 1.5 2; }
.mark.best { stroke: var(--good); stroke-width: 3; }
.part { stroke: var(--paper); } .p0 { fill: var(--accent); } .p1 { fill: var(--line); stroke: var(--muted); }
.p2 { fill: var(--good); } .p3 { fill: var(--paper); stroke: var(--muted); stroke-dasharray: 2 2; }
rect.bar { fill: currentColor; }
.textures { position: absolute; } pattern path { stroke: var(--ink); stroke-opacity: .25; fill: none; }
.row text { paint-order: stroke; stroke: var(--under); stroke-width: 4px; stroke-linejoin: round; } .chart .value.good { font-weight: 600; }
pattern .shared { fill: var(--shared); } pattern .moved { fill: var(--moved); } pattern .in-memory { fill: var(--in-memory); }
pattern .bulk { fill: var(--bulk); } pattern .serialized { fill: var(--serialized); } pattern .degraded { fill: var(--degraded); }
pattern .rejected { fill: var(--rejected); }
.cells rect { width: 100%; height: 100%;  stroke: var(--card); } .cells .blocker, .legend .blocker { fill: none; stroke: var(--bad); stroke-width: 3; }
.cells text { pointer-events: none; } .cells .blocked { font-weight: 700; } .cells svg:focus { outline: none; }
.readout:empty { display: none; } .readout { min-height: 1.4em; color: var(--muted); margin: 0; font-size: .85rem; overflow-wrap: anywhere; }
.cells svg:focus rect { stroke: var(--accent); stroke-width: 5; }
@media (max-width: 40rem) { .cells .wide { display: none; } table.heat caption::after { content: ", scrolls sideways"; } }
.heat td, .heat th { padding: .4rem .8rem .4rem 0; } td.heat { padding-left: .8rem; border-left: 4px solid; min-width: 9rem; }
td.heat span { display: block; font-size: .85rem; color: var(--ink); } td.heat b { font-weight: 600; } .few td.heat span { display: inline; margin-left: .6rem; }
td.heat.good { background: color-mix(in srgb, var(--shared) 45%, transparent); }
td.heat.fair { background: color-mix(in srgb, var(--serialized) 60%, transparent); }
td.heat.poor { background: color-mix(in srgb, var(--degraded) 50%, transparent); }
td.heat.bad { background: color-mix(in srgb, var(--rejected) 50%, transparent); }
@media print { .charts { display: block; } .chart { break-inside: avoid; margin-bottom: 1.25rem; } .readout, .chart details:not([open]) { display: none; } }
`;
