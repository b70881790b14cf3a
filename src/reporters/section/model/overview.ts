/** A page's list of contents. */
import type { Span } from './sentence.ts';

/** All payloads on all runtimes, the most expensive first. */
export interface Overview {
  runtimes: readonly string[];
  rows: readonly {
    name: string;
    /** Of the section of the payload. */
    anchor: string;
    /** Place of the payload in the report. */
    place: number;
    /** Round trip on the slowest runtime, ns; null if it was not measured. */
    cost: number | null;
    costText: string;
    /** The advice for each runtime; null if the payload has no run there. */
    cells: readonly (Span | null)[];
  }[];
}
