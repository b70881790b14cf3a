/** Every kind of chart, drawn. */
import type { Chart } from '../../section/charts/model.ts';
import type { Markup } from '../markup.ts';
import { barsFigure } from './bars.ts';
import { curvesFigure } from './curves/curves.ts';
import { densityFigure } from './density.ts';
import { forestFigure } from './forest.ts';
import { gainFigure } from './gain.ts';
import { icicleFigure } from './icicle.ts';
import { stripFigure } from './strip.ts';
import { timelineFigure } from './timeline.ts';

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
