/** Patterns deeper than this fold into `..`. */
export const MAX_DEPTH = 64;
/** Different keys below one pattern before the rest folds into `.*`. */
export const MAX_KEYS = 64;
/** Patterns in all. */
export const MAX_PATTERNS = 2000;
/** Rows at one pattern: further combinations of flags are counted in the nearest row of their kind. */
export const MAX_ROWS = 128;
/** A key of more UTF-16 units is not spelled out in a pattern. */
export const MAX_KEY_LENGTH = 200;
