/** Every kind of chart, drawn. */
import type { Chart } from '../section/model/charts.ts';
import { barsFigure } from './charts/bars.ts';
import { curvesFigure } from './charts/curves/curves.ts';
import { densityFigure } from './charts/density.ts';
import { forestFigure } from './charts/forest.ts';
import { gainFigure } from './charts/gain.ts';
import { icicleFigure } from './charts/icicle.ts';
import { stripFigure } from './charts/strip.ts';
import { timelineFigure } from './charts/timeline.ts';
import type { Markup } from './markup/markup.ts';

export function chartMarkup(chart: Chart): Markup {
  switch (chart.kind) {
    case 'gain':
      return gainFigure(chart);
    case 'forest':
      return forestFigure(chart);
    case 'density':
      return densityFigure(chart);
    case 'strip':
      return stripFigure(chart);
    case 'bars':
      return barsFigure(chart);
    case 'icicle':
      return icicleFigure(chart);
    case 'curves':
      return curvesFigure(chart);
    case 'timeline':
      return timelineFigure(chart);
  }
}
