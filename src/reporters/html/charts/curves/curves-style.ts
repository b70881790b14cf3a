/** What charts of curves and of times add to the style sheet. Seven colours with a contrast of 3:1 on both papers. */
export const CURVES_STYLE = `
:root { --s0: #1c1f24; --s1: #0b62b0; --s2: #b34a00; --s3: #17803f; --s4: #8a2be2; --s5: #8a6100; --s6: #c2185b; }
@media (prefers-color-scheme: dark) { :root { --s0: #e6e8eb; --s1: #6db8f7; --s2: #f59a5c; --s3: #5fc98a; --s4: #c79bff;
  --s5: #e0bc55; --s6: #ff86b3; } }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); } .s4 { --c: var(--s4); }
.s5 { --c: var(--s5); } .s6 { --c: var(--s6); }
.sweep { margin-top: 1rem; } .sweep h3 { margin-top: 1.25rem; } .sweep ul { margin: .4rem 0; }
.chart.curves { max-width: 32rem; } .curves svg { width: 100%; } .curves .legend svg { width: auto; }
.chart.curves text, .chart.curves .axis text { font-size: 12px; }
.curves .band { fill: var(--c); opacity: .14; }
.curves .line { fill: none; stroke: var(--c); stroke-width: 1.8; stroke-linejoin: round; }
.curves .mark { fill: var(--c); stroke: var(--paper); stroke-width: .8; }
.curves .mark.open { fill: var(--paper); stroke: var(--c); stroke-width: 1.5; }
.curves .joint { stroke: var(--muted); stroke-width: .7; }
.crossing circle { fill: none; stroke: var(--c); stroke-width: 1.5; }
.crossing .interval { stroke: var(--c); stroke-width: 5; stroke-opacity: .45; }
.crossing .drop { stroke: var(--c); stroke-dasharray: 1 3; }
.recording td, .recording tbody th { overflow-wrap: break-word; } .recording .row .bar { color: var(--accent); } .timeline rect { fill: var(--accent); }
.bars .whole { fill-opacity: .16; stroke: currentColor; stroke-dasharray: 3 2; } .chart .note { fill: var(--muted); }
`;
