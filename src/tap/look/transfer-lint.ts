/** Effect of the transfer list of a message, and the effect that it could have. Runs nothing of the program's. */

import { NO_TRANSFER } from '../../core/recording/threads/looked-messages.ts';
import type { Sample } from '../../core/recording/values/sampler.ts';
import type { TransferLint } from '../../model/documents/recorded/recording.ts';
import { dataOf, isArray } from '../realm/intrinsics.ts';
import { canBeRead, type TypeTests } from '../realm/platform.ts';

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

export function lintTransfer(
  { buffers, isPart }: Pick<Sample, 'buffers' | 'isPart'>,
  listed: readonly unknown[],
  types: TypeTests,
): TransferLint {
  const lint: TransferLint = { ...NO_TRANSFER, messages: 1, listed: listed.length };
  // A value that was not visited may hold it.
  for (const entry of isPart ? [] : listed)
    if (types.isAnyArrayBuffer(entry) && !buffers.has(entry as object)) lint.useless++;
  buffers.forEach(({ node, bytes, shown, stays, pooled }) => {
    lint.pooled += pooled;
    if (node.shared !== true) lint.hiddenBytes += Math.max(0, bytes - shown);
    if (stays || node.moved === true || bytes === 0) return;
    lint.possible++;
    lint.possibleBytes += bytes;
  });
  return lint;
}
