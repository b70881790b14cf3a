/** Writes a printed document as an HTML page. */
import type { Printed } from '../doc.ts';
import type { Chart } from '../section/model/charts.ts';
import { curvesFigure } from './charts/curves.ts';
import { icicleFigure } from './charts/icicle.ts';
import {
  barsFigure,
  densityFigure,
  forestFigure,
  gainFigure,
  stripFigure,
  timelineFigure,
} from './charts/rows.ts';
import { page } from './frame.ts';
import { type Markup, sentenceMarkup } from './markup/markup.ts';
import { nodesMarkup } from './nodes.ts';

const FIGURES: { [Kind in Chart['kind']]: (chart: Extract<Chart, { kind: Kind }>) => Markup } = {
  ...{ gain: gainFigure, forest: forestFigure, density: densityFigure, strip: stripFigure },
  ...{ bars: barsFigure, icicle: icicleFigure, curves: curvesFigure, timeline: timelineFigure },
};

/** Draws all kinds of charts. */
export const chartMarkup = (chart: Chart, of?: string): Markup =>
  (FIGURES[chart.kind] as (of: Chart) => Markup)(of === undefined ? chart : { ...chart, of });

/** @param json text of the document, which is embedded in the page */
export const htmlText = ({ title, heading, about, body, facts }: Printed, json: string): string =>
  page({
    ...{ title, heading: sentenceMarkup(heading), about: ['clone-prof', ...about], facts, json },
    main: nodesMarkup(body, { of: title, draw: chartMarkup }),
  });
