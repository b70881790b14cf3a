/** A worker cannot wait for an answer of the host. */
export const positionOf = (): null => null;
