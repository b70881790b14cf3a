/** The page to play with has no databases. */
import type { Rule } from '../../model/rules/rule.ts';

export const database: readonly Rule[] = [];
