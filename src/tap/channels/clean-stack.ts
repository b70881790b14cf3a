import { types } from 'node:util';
import { stackCleaner } from '../records/clean-stack.ts';

/** `__filename`: of the one file that all of the tap is bundled into. */
export const cleaned = stackCleaner(__filename, types.isProxy);
