import type { Chart } from '../section/model/charts.ts';
import { barsFigure, stripFigure } from './charts/bars.ts';
import { curvesFigure } from './charts/curves.ts';
import { densityFigure } from './charts/density.ts';
import { forestFigure } from './charts/forest.ts';
import { gainFigure } from './charts/gain.ts';
import { icicleFigure } from './charts/icicle.ts';
import { timelineFigure } from './charts/timeline.ts';
import type { Markup } from './markup/markup.ts';

const FIGURES: { [Kind in Chart['kind']]: (chart: Extract<Chart, { kind: Kind }>) => Markup } = {
  ...{ gain: gainFigure, forest: forestFigure, density: densityFigure, strip: stripFigure },
  ...{ bars: barsFigure, icicle: icicleFigure, curves: curvesFigure, timeline: timelineFigure },
};

export const chartMarkup = (chart: Chart): Markup => (FIGURES[chart.kind] as (of: Chart) => Markup)(chart);
