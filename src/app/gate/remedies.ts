import { type LimitCheck, resultOf, unmeasured } from '../../core/gate/limit-check.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import type { Limit } from '../../model/gate/check.ts';
import type { TriedRewrite } from '../../model/rules/tried.ts';
import type { Proof } from '../../model/wire/wire.ts';
import { proveTry } from '../prove.ts';
import type { GuestTerms } from '../tools.ts';
import type { Gathered } from './gather.ts';

/** By the word in the config. */
export type TriesByWord = ReadonlyMap<string, readonly TriedRewrite[]>;

const EQUAL: Limit = { level: 'error', value: true, text: 'equal' };

/** Each rewrite of the config gives back an equal payload. They are proven, not timed: that is the same on each machine. */
export async function checkRemedies(
  { entry, recipe, run, slot }: Gathered,
  tries: TriesByWord,
  { timeoutMs, signal }: GuestTerms,
): Promise<LimitResult[]> {
  const results: LimitResult[] = [];
  for (const tried of entry.remedies.flatMap((word) => tries.get(word) ?? [])) {
    if (signal?.aborted) break;
    const check =
      slot === null || run.status === 'failed'
        ? { ...unmeasured(run.error?.message ?? 'the run failed'), rule: tried.name }
        : checkOf(await proveTry(tried, { recipe, slot, channel: run.channel }, timeoutMs));
    results.push(resultOf(entry, run, 'remedies', EQUAL, check));
    // What it left behind must not reach the next.
    await slot?.close();
  }
  return results;
}

function checkOf({ remedy, equality, losses, reason }: Proof): LimitCheck {
  if (equality === 'equal') return { outcome: 'passed', actual: 0, path: null, rule: remedy };
  const [first] = losses;
  return {
    outcome: 'failed',
    actual: first ? losses.length : null,
    path: first?.path ?? '$',
    rule: remedy,
    reason: first?.what ?? reason ?? equality,
  };
}
