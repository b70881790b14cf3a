/** Bytes of the buffers in a transfer list: their memory moves. */
export const movedBytes = (list: readonly unknown[]): number =>
  list.reduce<number>((sum, one) => sum + (one instanceof ArrayBuffer ? one.byteLength : 0), 0);
