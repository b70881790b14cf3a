/** Writes a printed document as an HTML page. */
import type { Printed } from '../doc.ts';
import { chartMarkup } from './charts/chart.ts';
import { page } from './frame.ts';
import { sentenceMarkup } from './markup/markup.ts';
import { nodesMarkup } from './nodes.ts';

/** @param json text of the document, which is embedded in the page */
export const htmlText = ({ title, heading, about, body, facts }: Printed, json: string): string =>
  page({
    ...{ title, heading: sentenceMarkup(heading), about: ['clone-prof', ...about], facts, json },
    main: nodesMarkup(body, { of: title, draw: chartMarkup }),
  });
