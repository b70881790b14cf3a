/** The page to play with is of no extension. */
import type { Rule } from '../../../model/rules/rule.ts';

export const extension: readonly Rule[] = [];
