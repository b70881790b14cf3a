/** Draws a payload by its bytes: each part is as wide as its share, below the part that contains it. */
import { sumOf } from '../../../model/sums.ts';
import type { IcicleCell, IcicleChart } from '../../doc.ts';
import { groupedBy } from '../../text/groups.ts';
import { bytes, count, percent } from '../../text/numbers.ts';
import { listed, shortenName } from '../../words.ts';
import { html, type Markup, type Piece } from '../markup.ts';
import { chartFigure, legendMarkup } from './figure.ts';

const ROW = 30;

interface PlacedCell {
  cell: IcicleCell;
  /** In percent of the width, which the root fills. */
  x: number;
  width: number;
  depth: number;
}

/** Bytes of a cell: estimates of its children may exceed its own. */
function weightOf({ bytes: all, children }: IcicleCell): number {
  const own = all - sumOf(children, (child) => child.bytes);
  return Math.max(0, own) + sumOf(children, weightOf);
}

/** All cells, those of one depth after those above. */
export function placedCells(root: IcicleCell): PlacedCell[] {
  const whole = weightOf(root) || 1;
  const placed: PlacedCell[] = [{ cell: root, x: 0, width: 100, depth: 0 }];
  // Each cell appends its children, which the loop comes to later.
  for (const { cell, x, depth } of placed) {
    let left = x;
    for (const child of cell.children) {
      const width = (100 * weightOf(child)) / whole;
      placed.push({ cell: child, x: left, width, depth: depth + 1 });
      left += width;
    }
  }
  return placed;
}

export function icicleFigure(chart: IcicleChart): Markup {
  const cells = placedCells(chart.root);
  const rows = 1 + Math.max(...cells.map(({ depth }) => depth));
  const classes = [...new Set(cells.map(({ cell }) => cell.class))];
  const isBlocked = cells.some(({ cell }) => cell.blockers.length > 0);
  const entries = [
    ...classes.map((name) => ({ name, mark: html`<rect fill="url(#${name})" width="16" height="12"/>` })),
    ...(isBlocked ? [BLOCKED] : []),
  ];
  // If there is a single class, the colour does not carry information.
  const legend = entries.length > 1 && legendMarkup(entries);
  // Each class is one group, which sets its colour. Blockers come last, so that their outlines cover their neighbours.
  const isBlocker = ({ cell }: PlacedCell) => cell.blockers.length > 0;
  const content = [cells.filter((one) => !isBlocker(one)), cells.filter(isBlocker)].map((part) =>
    groupedBy(part, ({ cell }) => cell.class).map(
      ([name, own]) => html`<g class="cells" fill="url(#${name})">${own.map(cellMarkup)}</g>`,
    ),
  );
  return chartFigure(chart, { height: rows * ROW, content, legend: [READOUT, legend], hasParts: true });
}

const BLOCKED = {
  name: 'blocks a better path',
  mark: html`<rect class="blocker" x="1" y="1" width="14" height="10"/>`,
};

/** The script of the page writes the name of the focused or pointed part here. */
const READOUT = html`<p class="readout" aria-hidden="true"></p>`;

function cellMarkup({ cell, x, width, depth }: PlacedCell): Markup {
  const isBlocker = cell.blockers.length > 0;
  const focus = (isBlocker || width >= MIN_FOCUS) && html` tabindex="0" role="img"`;
  const shown = isBlocker ? Math.max(width, MIN_BLOCKER) : width;
  return html`<svg x="${x.toFixed(1)}%" y="${depth * ROW}" width="${shown.toFixed(1)}%" height="${ROW - 1}"${focus}><title>${aboutCell(cell, width / 100)}</title>${FILLED}${isBlocker && BLOCKER}${labelMarkup(cell, width)}</svg>`;
}

/** Minimum width of a blocker in percent, so that it stays visible. */
const MIN_BLOCKER = 0.5;

// The style sheet sets width and height, because there are thousands of these.
const FILLED = html`<rect/>`;
const BLOCKER = html`<rect class="blocker"/>`;

/** Minimum width of a tab stop, in percent: stops at smaller parts would be a nuisance. The table has all parts. */
const MIN_FOCUS = 10;

/** Minimum width in percent of a part with a label, which its end cuts. */
const MIN_LABEL = 4;

const labelMarkup = ({ name, blockers }: IcicleCell, width: number): Piece =>
  width >= MIN_LABEL &&
  html`<text${blockers.length > 0 && html` class="blocked"`} x="5" y="19">${name}</text>`;

const MAX_PATH_LENGTH = 60;

function aboutCell(cell: IcicleCell, share: number): string {
  const { name, path, kinds, count: seen, bytes: size, send, blockers } = cell;
  const place = path === null ? name : shortenName(path, MAX_PATH_LENGTH);
  const timed = send === null ? '' : `; ${percent(send)} of send`;
  const amount = `${place}: ${bytes(size)}, ${percent(share)}${timed}`;
  return [amount, `${listed(kinds)} ${count(seen)}×`, ...blockers].join(' · ');
}
