/** What all charts have. */
import type { Column } from './columns.ts';

export interface ChartFrame {
  title: string;
  /** What it shows, in one sentence, for readers who cannot see it. */
  about: string;
  /** The table behind it: all numbers that are drawn. */
  columns: readonly Column[];
  /** Formats that do not draw leave out its table too: they say the same elsewhere. */
  isDrawnOnly?: true;
}
