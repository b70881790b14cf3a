import { createRequire } from 'node:module';
import { type BunJsc, bunStorage, directBytes } from '../../../engines/probe/bun-storage.ts';
import { serialized } from '../../../engines/probe/serialized.ts';
import { STORED } from '../../../value/describe/inspect/flags.ts';
import type * as kept from '../realm.ts';

const specifier = 'bun:jsc';
const jsc = createRequire(__filename)(specifier) as BunJsc;

export const bunEngine: kept.LookEngine = {
  withStorage(run) {
    const storage = bunStorage(jsc, false);
    return run({
      ...storage,
      // All else that tells about a rope would flatten it before it is posted.
      string: (text, depth) => (jsc.isRope(text) ? STORED.rope : storage.string(text, depth)),
    });
  },
  // A message that a fast path may hand over is not written. A text that occurs twice in memory is written once.
  bytes: (value, isApart) =>
    isApart || directBytes(value).length === 0 ? (serialized(value, isApart)?.byteLength ?? null) : null,
};
