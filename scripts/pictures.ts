// docs/pictures, drawn by the reporters from the stored results beside them: `npm run docs`. A test fails when they are older
// than the reporters.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Report } from '../src/model/documents/report.ts';
import type { SweepReport } from '../src/model/documents/sweep.ts';
import type { Chart, Node } from '../src/report/doc.ts';
import { chartMarkup, TEXTURES } from '../src/report/html/charts/charts.ts';
import { html, Markup } from '../src/report/html/markup.ts';
import { PAGE_STYLE } from '../src/report/html/page.ts';
import { payloadNodes } from '../src/report/print/report.ts';
import { seriesOf, strategyCharts } from '../src/report/print/sweep-series.ts';
import { draw } from '../src/report/registry.ts';

const FOLDER = new URL('../docs/pictures/', import.meta.url);

/** What `analyze -f json` and `sweep -f json` printed. */
const stored = <Document>(name: string): Document =>
  JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Document;

const WIDTH = 800;
const MARGIN = 24;

/** The style of pages, inside a picture: it follows the reader's light or dark theme. */
function picture(title: string, height: number, content: Markup, more = ''): string {
  const style = `${PAGE_STYLE} .chart text, .title { font-family: system-ui, sans-serif; } .title { font-size: 15px; font-weight: 600; fill: var(--ink); } ${more}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<title>${title}</title>
<style>${new Markup(style.replace(/[&<]/g, ''))}</style>
${TEXTURES}<rect width="100%" height="100%" rx="8" style="fill: var(--paper)"/>
${content}
</svg>
`.source;
}

const TITLE = 30;
const GAP = 26;

/** The drawing of a chart: its legend and its table are not SVG. */
function drawingOf(chart: Chart, width: number): { markup: Markup; height: number } {
  const [, svg = ''] =
    /<\/figcaption>(<svg [\s\S]*?<\/svg>)(?:<ul class="legend">|<p class="readout"|<details>)/.exec(
      chartMarkup(chart).source,
    ) ?? [];
  const [, viewWidth, viewHeight] = /^<svg [^>]*viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const own = Number(/^<svg [^>]* height="(\d+)"/.exec(svg)?.[1]);
  const height = viewWidth === undefined ? own : (width * Number(viewHeight)) / Number(viewWidth);
  const sized = svg.replace(
    /^<svg ([^>]*?)( width="100%")?( height="\d+")?>/,
    `<svg $1 width="${width}" height="${height}">`,
  );
  return { markup: new Markup(sized), height };
}

/** Their text grows with them. */
const CURVES_WIDTH = 520;

/** Charts below each other, each with its title. */
function chartsPicture(title: string, charts: readonly Chart[]): string {
  let y = MARGIN;
  const content = charts.map((chart) => {
    const { markup, height } = drawingOf(chart, chart.kind === 'curves' ? CURVES_WIDTH : WIDTH - 2 * MARGIN);
    const top = y;
    y += TITLE + height + GAP;
    return html`<g class="chart ${chart.kind}" transform="translate(${MARGIN},${top})"><text class="title" y="14">${chart.title}</text><g transform="translate(0,${TITLE})">${markup}</g></g>`;
  });
  return picture(title, y, html`${content}`);
}

const LINE = 19;
const CELL = 8.4;
const COLUMNS = 84;

/** SGR codes of the terminal reporter, as classes. */
const CLASSES: Record<string, string> = {
  1: 'bold',
  2: 'dim',
  31: 'bad',
  32: 'good',
  33: 'fair',
  36: 'code',
  90: 'muted',
};

/** A screen of a terminal with colours. */
function terminalPicture(title: string, command: string, text: string): string {
  const lines = [`$ ${command}`, '', ...text.split('\n')];
  const rows = lines.map((line, index) => html`<text y="${index * LINE}">${spansOf(line)}</text>`);
  const style = `.screen text { font: 14px/1 ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); white-space: pre; } .screen tspan { fill: inherit; }
.screen .bold { font-weight: 600; } .screen .dim, .screen .muted { fill: var(--muted); } .screen .code { fill: var(--code); }
.screen .good { fill: var(--good); } .screen .fair { fill: var(--fair); } .screen .bad { fill: var(--bad); }`;
  const screen = html`<g class="screen" transform="translate(${MARGIN},${MARGIN + 12})">${rows}</g>`;
  return picture(title, 2 * MARGIN + lines.length * LINE, screen, style);
}

function spansOf(line: string): Markup[] {
  const on = new Set<string>();
  let cell = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SGR sequences.
  return line.split(/(\x1b\[\d+m)/).flatMap((part) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the same.
    const code = /^\x1b\[(\d+)m$/.exec(part)?.[1];
    if (code === undefined) {
      const x = cell * CELL;
      cell += part.length;
      return part === ''
        ? []
        : [html`<tspan class="${[...on].join(' ')}" x="${x.toFixed(1)}">${part}</tspan>`];
    }
    const name = CLASSES[code];
    if (name !== undefined) on.add(name);
    else if (code === '39') for (const colour of ['bad', 'good', 'fair', 'code', 'muted']) on.delete(colour);
    else if (code === '22') for (const weight of ['bold', 'dim']) on.delete(weight);
    return [];
  });
}

const firstLines = (text: string, count: number): string =>
  text.split('\n').slice(0, count).join('\n').trimEnd();

const chartsIn = (node: Node): Chart[] =>
  node.type === 'chart' ? [node.chart] : 'body' in node ? node.body.flatMap(chartsIn) : [];

/** Names and contents of all pictures. */
export function pictures(): Record<string, string> {
  const cliff = stored<Report>('cliff.json');
  const report = stored<Report>('orders.json');
  const sweep = stored<SweepReport>('sweep.json');
  const options = { color: true, columns: COLUMNS, unicode: true };
  const [payload] = report.payloads;
  const charts = payloadNodes(payload!).flatMap(chartsIn);
  const kinds = ['times', 'icicle', 'forest'];
  return {
    'terminal.svg': terminalPicture(
      'clone-prof analyze',
      'npx clone-prof analyze fixtures/cliff.mjs -e wrapped -r bun node',
      firstLines(draw(cliff, 'terminal', options), 24),
    ),
    'report.svg': chartsPicture(
      'Charts of clone-prof analyze -o report.html',
      kinds.flatMap((wanted) => charts.filter(({ kind }) => kind === wanted).slice(0, 1)),
    ),
    'sweep.svg': chartsPicture('A chart of clone-prof sweep', strategyCharts(seriesOf(sweep)).slice(0, 1)),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, content] of Object.entries(pictures())) writeFileSync(new URL(name, FOLDER), content);
}
