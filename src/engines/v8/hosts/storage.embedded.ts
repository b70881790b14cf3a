/** The page to play with has no files. */
import type { Rule } from '../../../model/rules/rule.ts';

export const storage: readonly Rule[] = [];
