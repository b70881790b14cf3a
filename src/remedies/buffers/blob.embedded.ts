import { neverProposed } from '../../model/rules/remedy.ts';

/** The page to play with has no database. */
export const blob = neverProposed('blob', 'put large bytes as a Blob');
