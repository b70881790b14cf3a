/** The page to play with may lie on a disk, where it has no origin. */
export const databases = {};
