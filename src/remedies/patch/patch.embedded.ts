import { neverProposed } from '../../model/rules/remedy.ts';

/** The page to play with has one payload, and no sequence. */
export const patch = neverProposed('patch', 'send what has changed since the message before');
