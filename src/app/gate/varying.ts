/** Whether a module's payload is the same when it is called again, and on another machine. */
import { factChanges } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import { isModule } from '../../model/report/recipe.ts';
import { classifyRun } from '../analyze/classify-run.ts';
import { runError } from '../payloads.ts';
import type { GuestTerms } from '../tools.ts';
import type { Gathered } from './gather.ts';
import type { GuestPool } from './guest-pool.ts';

/** Calls of a factory, beyond those that describing it takes. */
const CALLS = 5;

/**
 * How the facts of a module's payload change: when it is built again, or where CI is told from other machines. Null for
 * data, for pages, which have no environment, and where nothing changes.
 */
export async function varianceOf(
  { recipe, run, slot, entry, unit }: Gathered,
  slots: GuestPool,
  { timeoutMs }: GuestTerms,
): Promise<string | null> {
  const other = slots.elsewhere(unit.spec);
  if (!isModule(recipe) || slot === null || other === null || factsOf(run) === null) return null;
  const options = { deadlineMs: timeoutMs, thorough: true, transferring: entry.transfer.length > 0 };
  try {
    const { varies = null } = await slot.ask(
      { type: 'describe', recipe, channel: run.channel, confirm: false, calls: CALLS },
      { file: recipe.source.file, deadlineMs: timeoutMs },
    );
    if (varies !== null) return varies;
    const there = await classifyRun(recipe, other, run.channel, { ...options, calls: CALLS });
    if (there.run.status === 'failed') return `with other variables of CI: ${there.run.error?.message}`;
    if (there.described?.varies != null) return there.described.varies;
    if (factChanges(factsOf(run)!, factsOf(there.run)!).length === 0) return null;
    // What earlier payloads left in a process must not decide.
    await Promise.all([slot.close(), other.close()]);
    const here = await classifyRun(recipe, slot, run.channel, options);
    const again = await classifyRun(recipe, other, run.channel, options);
    const [change] = factChanges(
      factsOf(here.run) ?? factsOf(run)!,
      factsOf(again.run) ?? factsOf(there.run)!,
    );
    if (change === undefined) return null;
    return `with other variables of CI: ${change.what} ${change.to ?? 'none'}, not ${change.from ?? 'none'}`;
  } catch (error) {
    return runError(error).message;
  }
}

/** A payload that varies keeps no limit on its facts. */
export const withVariance = (results: readonly LimitResult[], varies: string | null): LimitResult[] =>
  results.map((result) =>
    varies === null || result.limit === 'baseline'
      ? result
      : { ...result, outcome: 'failed', actual: null, change: null, path: null, rule: null, varies },
  );
