/** Draws all kinds of charts. */
import type { Chart } from '../../section/model/charts.ts';
import type { Markup } from '../markup/markup.ts';
import { curvesFigure } from './curves.ts';
import { icicleFigure } from './icicle.ts';
import { barsFigure, densityFigure, forestFigure, gainFigure, stripFigure, timelineFigure } from './rows.ts';

const FIGURES: { [Kind in Chart['kind']]: (chart: Extract<Chart, { kind: Kind }>) => Markup } = {
  ...{ gain: gainFigure, forest: forestFigure, density: densityFigure, strip: stripFigure },
  ...{ bars: barsFigure, icicle: icicleFigure, curves: curvesFigure, timeline: timelineFigure },
};

export const chartMarkup = (chart: Chart, of?: string): Markup =>
  (FIGURES[chart.kind] as (of: Chart) => Markup)(of === undefined ? chart : { ...chart, of });
