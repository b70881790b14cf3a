import { CURVES_STYLE } from './charts/curves-style.ts';

/** The page's only style sheet. */
export const STYLE_SHEET = `
:root { color-scheme: light dark; --ink: #1c1f24; --muted: #5b6470; --paper: #fff; --card: #f6f7f9; --line: #dfe3e8;
  --good: #1a7f43; --fair: #8a6100; --poor: #b04a00; --bad: #c4232b; --code: #0b5b9d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --muted: #9aa4b0; --paper: #16181c; --card: #1e2126;
  --line: #343942; --good: #5fc98a; --fair: #dcb44a; --poor: #f0935a; --bad: #ff7b80; --code: #7cc0f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.1rem; margin: 0; } h2 { font-size: 1.6rem; margin: 0; } h3 { font-size: 1.15rem; margin: 0; }
h4 { font-size: .9rem; margin: 1rem 0 0; font-weight: 400; } small { font-weight: 400; }
h2, h3, td, th, code, pre, .prose { overflow-wrap: anywhere; }
h4, .muted, caption { color: var(--muted); }
.payload { margin-top: 2.5rem; }
.run { margin-top: 1.25rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.badge { display: inline-block; padding: 0 .6em; border: 1.5px solid; border-radius: 1em; font-weight: 600; }
.good { color: var(--good); } .fair { color: var(--fair); } .poor { color: var(--poor); } .bad { color: var(--bad); }
.alarm { border: 2px solid var(--bad); border-radius: 8px; padding: .6rem 1rem; font-weight: 600; }
dl { display: grid; grid-template-columns: 6.5rem 1fr; gap: .5rem 1rem; margin: 1rem 0; }
dt { color: var(--muted); } dd { margin: 0; min-width: 0; } dd p { margin: .3rem 0; } dd ul { margin: 0; padding: 0; list-style: none; }
dd.strong { font-weight: 600; }
code, pre { font: .9em/1.5 ui-monospace, Consolas, monospace; }
code { color: var(--code); } pre code { font-size: 1em; }
pre { margin: 1rem 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper);
  white-space: pre-wrap; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: .9rem; }
th, td { padding: .3rem 1.2rem .3rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th { font-weight: 500; color: var(--muted); } tbody th { color: inherit; }
tbody th { min-width: 6.5rem; } .right { text-align: right; white-space: nowrap; }
figure { margin: .5rem 0; } .distribution { display: inline-block; } .distribution rect { fill: var(--code); }
.distribution small { display: flex; justify-content: space-between; gap: 1rem; color: var(--muted); }
.bar rect { fill: currentColor; } .bar line { stroke: var(--muted); stroke-dasharray: 2 2; }
details { margin-top: .5rem; } summary { cursor: pointer; color: var(--muted); }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: .1rem; } dd { margin-bottom: .6rem; } }
@media print { .run { break-inside: avoid; } }
${CURVES_STYLE}`;

/** The only style sheet that the page's policy allows. test/reporters/html.test.ts computes the hash again. */
export const STYLE_SHEET_HASH = 'sha256-gPINIUZyHj+BpRJZxYWsPV5NXUupZG1VqRhoDMchJss=';
