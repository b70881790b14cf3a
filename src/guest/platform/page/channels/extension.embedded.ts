/** The page to play with is of no extension. */
export const extensionPeers = {};
