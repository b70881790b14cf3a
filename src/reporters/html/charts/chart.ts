/** All kinds of charts. */
import type { Chart } from '../../section/model/charts.ts';
import type { Markup } from '../markup/markup.ts';
import { barsFigure, stripFigure } from './bars.ts';
import { curvesFigure } from './curves.ts';
import { densityFigure } from './density.ts';
import { forestFigure } from './forest.ts';
import { gainFigure } from './gain.ts';
import { icicleFigure } from './icicle.ts';
import { timelineFigure } from './timeline.ts';

const FIGURES: { [Kind in Chart['kind']]: (chart: Extract<Chart, { kind: Kind }>) => Markup } = {
  ...{ gain: gainFigure, forest: forestFigure, density: densityFigure, strip: stripFigure },
  ...{ bars: barsFigure, icicle: icicleFigure, curves: curvesFigure, timeline: timelineFigure },
};

export const chartMarkup = (chart: Chart, of?: string): Markup =>
  (FIGURES[chart.kind] as (of: Chart) => Markup)(of === undefined ? chart : { ...chart, of });
