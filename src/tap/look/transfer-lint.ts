/** What the transfer list of a message does, and what it could do. Runs nothing of the program's. */

import { viewRange } from '../../core/value/intrinsics.ts';
import { filter } from '../../core/value/lists.ts';
import type { TransferLint } from '../../model/documents/recorded/recording.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { orElse } from '../../model/or-else.ts';
import { byteLength, dataOf, isArray, isView } from '../realm/intrinsics.ts';
import { canBeRead, type TypeTests } from '../realm/platform.ts';

/** Objects that are searched for buffers. */
const MAX_SEARCHED = 2000;

/** Entries of `[...]` or `{ transfer: [...] }`. */
export function transferList(given: unknown, types: TypeTests): readonly unknown[] {
  if (!canBeRead(given, types)) return [];
  const list = isArray(given) ? given : dataOf(given, 'transfer');
  const entries: unknown[] = [];
  // Its methods may be the program's.
  if (isArray(list) && !types.isProxy(list))
    for (let i = 0; i < list.length; i++) entries[i] = dataOf(list, i);
  return entries;
}

const BINARY: readonly Facts['kind'][] = ['arraybuffer', 'typedarray', 'dataview'];
const isBinary = ({ kind }: Facts) => BINARY.includes(kind);
const STAYS = ['shared-backing', 'pooled', 'untransferable', 'detached', 'wasm-memory'] as const;

export function lintTransfer(
  value: unknown,
  shape: Shape,
  listed: readonly unknown[],
  types: TypeTests,
): TransferLint {
  const rows = filter(shape.patterns, isBinary);
  const views = filter(
    rows,
    ({ flags }) => flags.includes('view-of-larger') && !flags.includes('shared-backing'),
  );
  const sum = (of: readonly Facts[], field: (one: Facts) => number) =>
    of.reduce((all, one) => all + field(one), 0);
  const lint: TransferLint = {
    ...{ listed: listed.length, possible: 0, possibleBytes: 0, useless: 0 },
    hiddenBytes: sum(views, ({ bytes }) => Math.max(0, (bytes?.backing ?? 0) - (bytes?.total ?? 0))),
    pooled: sum(
      filter(rows, ({ flags }) => flags.includes('pooled')),
      ({ count }) => count,
    ),
  };
  const buffers = rows.length === 0 && listed.length === 0 ? new Set<object>() : buffersIn(value, types);
  const given = new Set(listed);
  for (const entry of listed)
    if (types.isAnyArrayBuffer(entry) && !buffers.has(entry as object)) lint.useless++;
  const stays = filter(rows, ({ flags }) => STAYS.some((flag) => flags.includes(flag)));
  // Which buffer has which flags is not known: where some have to stay, none is told as possible.
  if (stays.length > 0) return lint;
  for (const buffer of buffers) {
    const bytes = byteLength(buffer);
    if (given.has(buffer) || bytes === 0) continue;
    lint.possible++;
    lint.possibleBytes += bytes;
  }
  return lint;
}

/** Buffers, and those behind views, near the root. */
function buffersIn(root: unknown, types: TypeTests): Set<object> {
  const buffers = new Set<object>();
  const seen = new Set<object>();
  const open: unknown[] = [root];
  for (let i = 0; i < open.length && i < MAX_SEARCHED; i++) {
    const value = open[i];
    if (!canBeRead(value, types) || seen.has(value)) continue;
    seen.add(value);
    if (isView(value)) buffers.add(orElse(() => viewRange(value).buffer, value));
    else if (types.isAnyArrayBuffer(value)) buffers.add(value);
    else for (const child of childrenOf(value)) open.push(child);
  }
  return buffers;
}

function childrenOf(value: object): unknown[] {
  const keys = isArray(value)
    ? Array.from({ length: Math.min(value.length, MAX_SEARCHED) }, (_, i) => i)
    : Object.keys(value);
  const children: unknown[] = [];
  for (const key of keys.slice(0, MAX_SEARCHED)) {
    const child = dataOf(value, key);
    if (typeof child === 'object' && child !== null) children.push(child);
  }
  return children;
}
