/** The page to play with is no Electron. */
import type { PathRow } from '../../../model/rules/rule.ts';

export const bridgePaths: readonly PathRow[] = [];
