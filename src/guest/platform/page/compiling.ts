/** Runs what compiles code from texts: at once, where that is always allowed. */
export const compiling = <T>(work: () => T): T | Promise<T> => work();
