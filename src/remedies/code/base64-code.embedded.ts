/** The page to play with has no channel that carries JSON. */
export const BYTES_TO_TEXT = '';
export const TEXT_TO_BYTES = '';
export const BYTES_AND_TEXT = '';
