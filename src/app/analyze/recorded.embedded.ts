/** The page to play with has no recordings. */
import type * as real from './recorded.ts';

export const withRecordings: typeof real.withRecordings = (report) => report;
