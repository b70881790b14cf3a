/** No page knows how V8 stores a value. */
import type * as real from './built-later.ts';

export const builtLaterStatements: typeof real.builtLaterStatements = () => [];
