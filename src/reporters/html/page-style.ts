import { CHART_STYLE } from './charts/chart-style.ts';
import { CURVES_STYLE } from './charts/curves/curves-style.ts';
import { STYLE_SHEET } from './style-sheet.ts';

/** The page's only style sheet. */
export const PAGE_STYLE = `${STYLE_SHEET}${CHART_STYLE}${CURVES_STYLE}`;

/** The only style sheet that the page's policy allows. test/reporters/html computes the hash again. */
export const PAGE_STYLE_HASH = 'sha256-+Q/yzWhlZIAe2YD1JV/pjh5zwbSW8FdkdhBttowq/94=';
