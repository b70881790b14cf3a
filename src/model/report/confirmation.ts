import type { PathName } from '../names.ts';

/** The path of a posted value, as the engine itself shows it. */
export interface Confirmation {
  /** null when the oracle cannot answer for such a value. */
  path: PathName | null;
  /** jsc: cost of the message; v8: tag of the root. */
  evidence: string;
  /** The path of one nested array or string of each pattern. */
  examples: { pattern: string; example: string; path: PathName }[];
  /**
   * Concrete paths of objects whose hidden state (deleted properties, #private members) keeps them off the
   * fast path; null where they were not looked for.
   */
  hidden: string[] | null;
  /** Concrete path of what the engine refuses, '$' where it is the whole; null when it refuses nothing. */
  refused: string | null;
}
