/** Checks what documents and workers of a page say, which is untrusted input. */

import { THREAD_FIELDS } from '../../../core/recording/threads/counters.ts';
import type { ThreadStarted } from '../../../model/documents/recorded/thread-file.ts';
import { orElse } from '../../../model/or-else.ts';
import type { PageStarted, WorkerTraffic } from '../../../model/recording/page-tap.ts';

/** What is known of a target before it says anything. */
export interface PageTarget {
  kind: 'document' | 'worker' | 'shared worker' | 'service worker';
  /** Target that started it; null for those that no one document owns. */
  parent: string | null;
}

export function kindOf({ kind }: PageTarget, said: Partial<PageStarted>): ThreadStarted['kind'] {
  if (kind === 'worker') return undefined;
  return kind === 'document' ? (said.kind === 'iframe' ? 'iframe' : 'page') : kind;
}

export function parsed(text: string): unknown {
  return orElse(() => JSON.parse(text), null);
}

const isSize = (value: unknown): value is number =>
  Number.isFinite(value) && (value as number) >= -1 && (value as number) <= Number.MAX_SAFE_INTEGER;

export const isTraffic = (one: unknown): one is WorkerTraffic =>
  Array.isArray(one) && typeof one[0] === 'string' && isSize(one[1]) && isSize(one[2]);

/** Pairs of index and value; false where one is impossible. */
export function setCounters(counters: Float64Array, pairs: readonly unknown[]): boolean {
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [index, value] = [pairs[i], pairs[i + 1]];
    if (!Number.isSafeInteger(index) || Number(index) < 0 || Number(index) >= THREAD_FIELDS) return false;
    if (!isSize(value)) return false;
    counters[index as number] = value;
  }
  return true;
}
