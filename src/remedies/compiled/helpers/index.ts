/**
 * Functions that compiled codecs share. Each codec contains the functions that it calls. The sender fills `ints`,
 * `doubles`, `text` and `rest`, up to `i` and `d`; the receiver reads them by `ip`, `dp`, `tp` and `rp`. Code that is
 * made for a schema never assigns these variables, only calls these functions, so that they can be a separate module.
 */

import { WAYS } from '../ways/index.ts';
import { COLUMNS } from './columns.ts';
import { ESCAPES, OBJECTS } from './escapes.ts';
import { MESSAGE } from './message.ts';

interface Block {
  code: string;
  declares: readonly string[];
  mentions: ReadonlySet<string>;
}

const DECLARED = /^(?:\/\*type|const|let|function) (?:(\w+)|[[{] ?([^\]}]*))/gm;
/** Code without names: texts, comments without types, words after a dot or before a colon. */
const NO_NAMES = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\*\*.*?\*\/|\/\/.*|\.[\w$]+|[\w$]+\??:/g;

/** Names that occur in this code. */
export const namesIn = (code: string): Set<string> =>
  new Set(code.replace(NO_NAMES, ' ').match(/[A-Za-z_$][\w$]*/g));

const blockOf = (code: string): Block => ({
  code,
  declares: [...code.matchAll(DECLARED)].flatMap(([, name, names = '']) =>
    name === undefined ? names.split(',').map((one) => one.split(':').at(-1)!.trim()) : [name],
  ),
  mentions: namesIn(code),
});

const SHARED = [...MESSAGE, ...ESCAPES, ...OBJECTS, ...WAYS.flatMap(({ helpers = [] }) => helpers)];

/** Blocks of declarations, which are separated by empty lines. */
const BLOCKS = [...SHARED, ...COLUMNS].flatMap((code) => code.split('\n\n')).map(blockOf);

/** Helpers that this code calls, directly or indirectly, in the order of the table. */
export function helpersOf(code: string): string {
  const wanted = namesIn(code);
  const found = new Set<Block>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const block of BLOCKS) {
      if (found.has(block) || !block.declares.some((name) => wanted.has(name))) continue;
      found.add(block);
      for (const name of block.mentions) wanted.add(name);
    }
  }
  return BLOCKS.filter((block) => found.has(block))
    .map(({ code: text }) => text)
    .join('\n\n');
}

/** All helpers except for views, whose helpers have types of their payload. */
export const ALL_HELPERS = SHARED.join('\n\n');
