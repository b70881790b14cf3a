/** The page to play with may compile, and so may its workers. */
export const compiling = <T>(work: () => T): T => work();
