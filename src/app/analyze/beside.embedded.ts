/** A page has no processes, and is not told how V8 stores a value. */
import type * as real from './beside.ts';

export const variantsBeside: typeof real.variantsBeside = () => [];
export const judgedBeside: typeof real.judgedBeside = () => ({});
