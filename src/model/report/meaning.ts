/** Meaning of a word in the tool's output. */
export interface Meaning {
  word: string;
  /** "rule, slow", "error, exit code 3". */
  kind: string;
  text: string;
  source?: string;
  /** Lines of code, or of a command. */
  example?: readonly string[];
}
