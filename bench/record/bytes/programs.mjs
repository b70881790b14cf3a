import { DICTIONARIES } from './dictionaries.mjs';
import { ENVELOPES } from './envelopes.mjs';
import { LISTS } from './lists.mjs';
import { seed } from './make.mjs';

const PROGRAMS = { ...DICTIONARIES, ...LISTS, ...ENVELOPES };
export const names = Object.keys(PROGRAMS);

/** The same each time. */
export function messagesOf(name) {
  seed(1 + names.indexOf(name));
  return PROGRAMS[name]();
}
