import { FLOOR, ORIGINAL } from '../../core/stats/variant-samples.ts';
import type { Plan } from '../../model/documents/trial.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { reasonOf } from '../prove-try.ts';
import type { RunContext } from './run-context.ts';

/**
 * Messages of one rewrite of the user's to a peer, in a guest of its own. A rewrite that ends or hangs a process would take
 * the times of all other rewrites with it.
 *
 * @returns why it cannot be timed; null when it can
 */
export async function rehearse(
  name: string,
  plan: Plan,
  { recipe, channel, slot, request }: RunContext,
  { sliceMs, maxRounds }: { sliceMs: number; maxRounds: number },
): Promise<string | null> {
  const variant: Variant = { id: name, remedy: name, plan, mode: 'with-conversion' };
  const limits = { sliceMs, warmupMs: 0, minRounds: 2, maxRounds, seed: request.seed };
  const variants = [FLOOR, ORIGINAL, variant];
  const terms = { file: name, deadlineMs: 3 * sliceMs + request.timeoutMs };
  try {
    const { sets } = await slot.ask({ type: 'measure', recipe, channel, variants, ...limits }, terms);
    return sets.find((set) => set.variant === name)?.error ?? null;
  } catch (error) {
    return reasonOf(error);
  }
}
