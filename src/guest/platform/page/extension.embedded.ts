/** The page to play with is of no extension. */
export const spawnExtension = null;
export const extensionParentEndpoint = null;
