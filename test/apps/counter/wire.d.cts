/** See `wire.cjs`. */
export declare function wireBytes(value: unknown, transfer: readonly object[]): number | null;
