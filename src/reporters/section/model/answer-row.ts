/** The answer of each run as a row, and all rows of a report as a list of contents. */
import type { Estimate, RatioEstimate } from '../../../model/documents/measurement.ts';
import type { Channel } from '../../../model/names.ts';
import type { StyledText } from './sentence.ts';

/**
 * - sure: decided by the measurement, or by a rejection, which needs none
 * - unsure: measured, and what was tried is not decided, or not all could be tried
 */
type Certainty = 'sure' | 'unsure' | 'not-measured' | 'failed';

export interface AnswerRow {
  payload: string;
  /** "node 24.21.0"; null if the payload could not be loaded, or if no runtime ran it. */
  runtime: string | null;
  channel: Channel | null;
  status: StyledText;
  /** Round trip of the original, ns; null if it was not measured. */
  now: Estimate | null;
  /** Round trip with the advised rewrite and its conversion, ns: `now.median` times `gain`. Null if none is advised, or if the size of the gain is not known. */
  best: Estimate | null;
  /** Round trip beyond an empty one, ns a MB. */
  perMB: number | null;
  /** Gain of the advised rewrite; null without one, and if the original cannot be posted. */
  gain: RatioEstimate | null;
  /** "columns", "no rewrite", "fix the causes", "fewer, larger messages"; of a failed run "raise --timeout". */
  advice: string;
  /** `advice` is the name of a rewrite. */
  isRewrite: boolean;
  certainty: Certainty;
}

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
    /** One for each runtime; null if the payload has no run there. */
    cells: readonly (AnswerRow | null)[];
  }[];
}
