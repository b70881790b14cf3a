/** The two variants that every measurement contains. */
import type { Variant } from '../../model/wire/wire.ts';

/** The round trip of an empty message: no rewrite can be faster. */
export const FLOOR: Variant = { id: 'floor', remedy: null, plan: null, mode: 'floor' };

/** The payload without any rewrite. */
export const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };
