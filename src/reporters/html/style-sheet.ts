/** What all pages of the tool look like. */
export const STYLE_SHEET = `
:root { color-scheme: light dark; --ink: #1c1f24; --muted: #565f6b; --paper: #fff; --card: #f7f8fa; --line: #dfe3e8; --edge: #0003; --under: var(--paper);
  --good: #0b7356; --fair: #80590a; --poor: #a8430c; --bad: #b5203b; --code: #0b5b9d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --muted: #9fa9b5; --paper: #14161a; --card: #1b1e23;
  --line: #343942; --edge: #fff4; --good: #55cba6; --fair: #dcb44a; --poor: #f5975f; --bad: #ff8194; --code: #7cc0f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.1rem; margin: 0; } h2 { font-size: 1.7rem; line-height: 1.25; margin: 0; letter-spacing: -.01em; }
h3 { font-size: 1.15rem; margin: 0; }
h4 { font-size: .9rem; margin: 1rem 0 0; font-weight: 400; } small { font-weight: 400; }
a { color: var(--code); }
h2, h3, td, th, code, pre, .prose { overflow-wrap: anywhere; }
h4, .muted, caption, footer { color: var(--muted); }
.payload { margin-top: 3rem; scroll-margin-top: 1rem; content-visibility: auto; contain-intrinsic-size: auto 90rem; }
.run { --under: var(--card); margin-top: 1.25rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.badge { display: inline-block; padding: 0 .6em; border: 1.5px solid; border-radius: 1em; font-weight: 600; }
.good { color: var(--good); } .fair { color: var(--fair); } .poor { color: var(--poor); } .bad { color: var(--bad); }
.alarm { border: 2px solid var(--bad); border-radius: 8px; padding: .6rem 1rem; font-weight: 600; }
dl { display: grid; grid-template-columns: 6.5rem 1fr; gap: .5rem 1rem; margin: 1rem 0; }
dt { color: var(--muted); } dd { margin: 0; min-width: 0; } dd p { margin: .3rem 0; } dd ul { margin: 0; padding: 0; list-style: none; }
dd.strong { font-weight: 600; } dd details { font-weight: 400; font-size: .9rem; }
code, pre { font: .9em/1.5 ui-monospace, Consolas, monospace; }
code { color: var(--code); } pre code { font-size: 1em; }
pre { margin: .5rem 0 1rem; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper);
  white-space: pre-wrap; }
.scroll { overflow-x: auto; background: linear-gradient(to left, var(--under) 40%, transparent) right / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--edge), transparent) right / 1rem 100% no-repeat scroll; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: .9rem; }
th, td { padding: .3rem 1.2rem .3rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th { font-weight: 500; color: var(--muted); } tbody th { color: inherit; } td, tbody th { min-width: 6.5rem; }
.right, .r2 :is(td, th):nth-child(2), .r3 :is(td, th):nth-child(3), .r4 :is(td, th):nth-child(4), .r5 :is(td, th):nth-child(5), .r6 :is(td, th):nth-child(6),
  .r7 :is(td, th):nth-child(7), .r8 :is(td, th):nth-child(8), .r9 :is(td, th):nth-child(9), .r10 :is(td, th):nth-child(10), .r11 :is(td, th):nth-child(11), .r12 :is(td, th):nth-child(12) { text-align: right; white-space: nowrap; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-decoration: underline dotted; }
th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
figure { margin: .5rem 0; } .distribution { display: inline-block; } .distribution rect { fill: var(--code); }
.distribution small { display: flex; justify-content: space-between; gap: 1rem; color: var(--muted); }
.bar rect, .bar path { fill: currentColor; } .bar line { stroke: var(--muted); stroke-dasharray: 2 2; }
details { margin-top: .4rem; } summary { cursor: pointer; color: var(--muted); font-size: .9rem; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .85rem; }
@media (max-width: 40rem) { body { padding: 1.25rem 1rem 3rem; } .run { padding: 1rem; } dl { grid-template-columns: 1fr; gap: .1rem; } dd { margin-bottom: .6rem; } }
@media print { body { max-width: none; } .run { border: 0; padding: 0; background: none; } pre { break-inside: avoid; } }
`;
