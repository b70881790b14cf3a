/** Draws a chart of any kind, and the textures that charts are filled with. */
import { COST_CLASSES, type CostClass } from '../../../model/names.ts';
import type { Chart, ChartOf } from '../../doc.ts';
import { html, type Markup } from '../markup.ts';
import { curvesFigure } from './curves.ts';
import { icicleFigure } from './icicle.ts';
import { forestFigure, timesFigure } from './rows.ts';

const FIGURES: { [Kind in Chart['kind']]: (chart: ChartOf<Kind>) => Markup } = {
  ...{ times: timesFigure, forest: forestFigure },
  ...{ icicle: icicleFigure, curves: curvesFigure },
};

export const chartMarkup = (chart: Chart, of?: string): Markup =>
  (FIGURES[chart.kind] as (of: Chart) => Markup)(of === undefined ? chart : { ...chart, of });

const TEXTURE_OF: Partial<Record<CostClass, Markup>> = {
  serialized: html`<path d="M2,3H3.5"/>`,
  degraded: html`<path d="M-1,8L8,-1"/>`,
  rejected: html`<path d="M-1,8L8,-1M-1,-1L8,8"/>`,
};

const texture = (name: CostClass): Markup =>
  html`<pattern id="${name}" width="7" height="7" patternUnits="userSpaceOnUse"><rect class="${name}" width="7" height="7"/>${TEXTURE_OF[name]}</pattern>`;

/** Colours and textures of cost classes, which can be distinguished without colour. */
export const TEXTURES = html`<svg class="textures" aria-hidden="true" width="0" height="0"><defs>${COST_CLASSES.map(texture)}</defs></svg>
`;
