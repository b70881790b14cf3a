/** The page to play with is no Electron. */
import type { Rule } from '../../../model/rules/rule.ts';

export const electronBridge: readonly Rule[] = [];
