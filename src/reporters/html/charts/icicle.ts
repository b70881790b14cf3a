/** A payload by its bytes: each part as wide as its share, below what holds it. */
import { type HierarchyRectangularNode, hierarchy, partition } from 'd3-hierarchy';
import { bytes, count, percent } from '../../numbers.ts';
import type { IcicleCell, IcicleChart } from '../../section/charts/model.ts';
import { html, type Markup, type Piece } from '../markup.ts';
import { chartFigure, cutName, legendMarkup } from './figure.ts';

const ROW = 30;
const READOUT = 22;
/** px of one character, and of the narrowest and the usual drawing. */
const CHARACTER = 7.5;
const NARROW = 326;
const WIDE = 860;
const PADDING = 10;

export interface PlacedCell {
  cell: IcicleCell;
  /** Percent of the width. */
  x: number;
  width: number;
  /** From the root, 0. */
  depth: number;
  /** Of the bytes of the root. */
  share: number;
}

/** Parents before what is in them. */
export function placedCells(root: IcicleCell): PlacedCell[] {
  const own = ({ bytes: all, children }: IcicleCell): number =>
    Math.max(0, all - children.reduce((sum, child) => sum + child.bytes, 0));
  const tree = hierarchy(root, ({ children }) => [...children]).sum(own);
  const whole = tree.value || 1;
  const rectangles: HierarchyRectangularNode<IcicleCell> = partition<IcicleCell>()(tree);
  return rectangles.descendants().map(({ data, x0, x1, depth, value }) => ({
    cell: data,
    x: 100 * x0,
    width: 100 * (x1 - x0),
    depth,
    share: (value ?? 0) / whole,
  }));
}

export function icicleFigure(chart: IcicleChart): Markup {
  const [root, ...below] = placedCells(chart.root);
  const cells =
    root === undefined || chart.isForest
      ? below.map((one) => ({ ...one, depth: one.depth - 1 }))
      : [root, ...below];
  const rows = 1 + Math.max(...cells.map(({ depth }) => depth));
  const top = rows * ROW;
  const classes = [...new Set(cells.map(({ cell }) => cell.class))];
  const isBlocked = cells.some(({ cell }) => cell.blockers.length > 0);
  const legend = legendMarkup([
    ...classes.map((name) => ({ name, mark: filled(name, html`<rect width="16" height="12"/>`) })),
    ...(isBlocked
      ? [
          {
            name: 'blocks a better path',
            mark: html`<rect class="blocker" x="1" y="1" width="14" height="10"/>`,
          },
        ]
      : []),
  ]);
  // Blockers last: their outlines are above their neighbours.
  const drawn = [...cells].sort((a, b) => a.cell.blockers.length - b.cell.blockers.length);
  const content = drawn.map((placed) => cellMarkup(placed, top));
  return chartFigure(chart, { height: top + READOUT, content, legend, hasParts: true });
}

/** The colour of a class, and its texture above. */
const filled = (name: string, rect: Markup): Piece => [
  html`<g class="fill ${name}">${rect}</g>`,
  TEXTURED.has(name) ? html`<g fill="url(#${name})">${rect}</g>` : null,
];

const TEXTURED: ReadonlySet<string> = new Set(['serialized', 'degraded', 'rejected']);

function cellMarkup({ cell, x, width, depth, share }: PlacedCell, readout: number): Markup {
  const at = html`x="${x.toFixed(2)}%" y="${depth * ROW}" width="${width.toFixed(2)}%" height="${ROW - 1}"`;
  const label = labelMarkup(cell, x, width, depth * ROW + 19);
  const isBlocker = cell.blockers.length > 0;
  const about = aboutCell(cell, share);
  const focus = label !== null || isBlocker;
  const head = focus ? html`<g class="cell" tabindex="0" role="img">` : html`<g class="cell">`;
  return html`${head}<title>${about}</title>${filled(cell.class, html`<rect ${at}/>`)}${
    isBlocker ? html`<rect class="blocker" ${at}/>` : null
  }${label}${focus ? html`<text class="read" x="0" y="${readout + 16}">${about}</text>` : null}</g>`;
}

const LEAST_LABEL = 4;

/** As much as fits; at both widths, or in the wide drawing alone. */
function labelMarkup({ name, blockers }: IcicleCell, x: number, width: number, y: number): Piece {
  const room = (whole: number) => Math.floor(((width / 100) * whole - PADDING) / CHARACTER);
  const [wide, narrow] = [room(WIDE), room(NARROW)];
  if (wide < Math.min(LEAST_LABEL, name.length)) return null;
  const label = name.length <= wide ? name : `${name.slice(0, wide - 1)}…`;
  const place = `label${label.length <= narrow ? '' : ' wide'}${blockers.length > 0 ? ' blocked' : ''}`;
  return html`<text class="${place}" x="${x.toFixed(2)}%" dx="5" y="${y}">${label}</text>`;
}

const LONGEST_PATH = 60;

/** "$.rows[*].geo: 12.3 kB, 34 % · object, 1,200 values · object inside an object" */
function aboutCell(
  { name, path, kinds, count: seen, bytes: size, blockers }: IcicleCell,
  share: number,
): string {
  const place = path === null ? name : cutName(path, LONGEST_PATH);
  return [`${place}: ${bytes(size)}, ${percent(share)}`, `${kinds} ${count(seen)}×`, ...blockers].join(' · ');
}
