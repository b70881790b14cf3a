import type { Rule } from '../../../model/rules/rule.ts';

/** The page to play with compares runtimes that start workers. */
export const workerd: readonly Rule[] = [];
