/** List of contents of a page. */
import type { Span } from './sentence.ts';

/** All payloads on all runtimes, the most expensive first. */
export interface Overview {
  runtimes: readonly string[];
  rows: readonly {
    name: string;
    /** Anchor of the payload's section. */
    anchor: string;
    /** Index of the payload in the report. */
    place: number;
    /** Round trip on the slowest runtime, ns; null if it was not measured. */
    cost: number | null;
    costText: string;
    /** Advice for each runtime; null if the payload was not run there. */
    cells: readonly (Span | null)[];
  }[];
}
