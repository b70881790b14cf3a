/** The sweep itself: complete, in the order of its fields, safe to print on a terminal and in a CI log. */
import type { SweepReport } from '../model/sweep.ts';
import { visibleJson } from './escape.ts';

export const sweepJson = (report: SweepReport): string => `${visibleJson(JSON.stringify(report, null, 2))}\n`;
