/** Declarations that codecs share. Types stand in comments (code/dialect.ts). */
export interface Helper {
  code: string;
  /** Names of the helpers that it calls. */
  needs?: readonly string[];
}

/** Parameters of all functions that write. */
export const VALUE = 'value/*: unknown */, path/*: string */';
