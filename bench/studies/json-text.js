/** The rewrite of the studies. */
export const apply = JSON.stringify;
export const restore = JSON.parse;
