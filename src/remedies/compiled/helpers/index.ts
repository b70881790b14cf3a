/**
 * Functions that compiled codecs share: each codec has those that it calls. The sender fills `ints`, `doubles`, `text` and
 * `rest`, up to `i` and `d`; the receiver reads `from`, from `ip`, `dp`, `tp` and `rp` on.
 */

import type { Helper } from '../way.ts';
import { WAYS } from '../ways/index.ts';
import { COLUMNS } from './columns.ts';
import { ESCAPES, OBJECTS } from './escapes.ts';

const HELPERS: Readonly<Record<string, Helper>> = Object.assign(
  {},
  ...[ESCAPES, OBJECTS, ...WAYS.map(({ helpers = {} }) => helpers), COLUMNS],
);

/** Code of the named helpers and of all that they need, each once, in the order of the table. */
export function helperCode(names: Iterable<string>): string {
  const wanted = withNeeds(names);
  return Object.entries(HELPERS)
    .filter(([name]) => wanted.has(name))
    .map(([, { code }]) => code)
    .join('\n\n');
}

function withNeeds(names: Iterable<string>): Set<string> {
  const wanted = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    open.push(...(HELPERS[name]?.needs ?? []));
  }
  return wanted;
}
