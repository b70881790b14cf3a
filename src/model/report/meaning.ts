/** Meaning of a word of the tool's output. */
export interface Meaning {
  word: string;
  /** "rule, slow", "error, exit code 3". */
  kind: string;
  text: string;
  source?: string;
  /** Code or a command, line by line. */
  example?: readonly string[];
}
