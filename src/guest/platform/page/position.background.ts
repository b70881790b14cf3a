import type { StackLocation } from '../common/platform.ts';

/** A service worker cannot wait for an answer. The page, which builds the same payload, has told it. */
export const positionOf = (): StackLocation | null => null;
