/** See `told-value.cjs`. */
export declare function madeValue(told: unknown): { value: unknown; transfer: object[] };
