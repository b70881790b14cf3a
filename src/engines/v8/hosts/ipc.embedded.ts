/** The page to play with starts no processes. */
import type { Rule } from '../../../model/rules/rule.ts';

export const ipc: readonly Rule[] = [];
