import type { Proposal } from '../../core/classify/propose.ts';
import type { Untried } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { planOf, type TriedRewrite } from '../../model/rules/tried.ts';
import type { Proof } from '../../model/wire/wire.ts';
import type { Job, Proven } from './job.ts';
import { runError } from './payloads.ts';

/** Minimum budget of all proofs together: the proofs of most payloads take a twentieth of this, on a busy machine a tenth. */
const LEAST_BUDGET_MS = 10_000;

/**
 * Proves one plan after the other, the most promising first, within one deadline. A proof that hangs or ends its guest
 * costs only itself and the plans that run out of time. Once the proofs have used the whole budget, no more are
 * started: the race would not have the time for them either.
 */
export async function provePlans(
  job: Job,
  proposals: readonly Proposal[],
  budgetMs = Number.POSITIVE_INFINITY,
): Promise<Proven> {
  const { recipe, channel, slot, tools } = job;
  const { timeoutMs } = slot;
  const began = tools.now();
  const proofs: Proof[] = [];
  const untried: Untried[] = [];
  for (const [done, proposal] of proposals.entries()) {
    job.step('prove', done, proposals.length);
    const spentMs = tools.now() - began;
    const deadlineMs = timeoutMs - spentMs;
    try {
      if (proofs.length > 0 && spentMs >= Math.max(budgetMs, LEAST_BUDGET_MS))
        throw new ToolError('proofs-budget');
      if (deadlineMs <= 0) throw new ToolError('guest-timeout', { ms: timeoutMs });
      const plans = [proposal];
      proofs.push(...(await slot.ask({ type: 'prove', recipe, channel, plans }, { deadlineMs })).proofs);
    } catch (error) {
      const isLate = error instanceof ToolError && error.code === 'guest-timeout';
      const { message } = runError(isLate ? new ToolError('proofs-timeout', { ms: timeoutMs }) : error);
      untried.push({ ...proposal, path: proposal.plan.path, reason: message });
    }
  }
  return { proofs, untried };
}

/** True if a rewrite takes part in the race. A refused or failed rewrite is not timed. */
export const isTimed = ({ equality }: Pick<Proof, 'equality'>): boolean =>
  equality === 'equal' || equality === 'lossy';

/** Proves a user's rewrite. If its guest crashes or hangs, that is the reason for the refusal. */
export async function proveTry({ recipe, channel, slot }: Job, tried: TriedRewrite): Promise<Proof> {
  const plans = [{ remedy: tried.name, plan: planOf(tried) }];
  try {
    const { proofs } = await slot.ask({ type: 'prove', recipe, channel, plans }, { file: tried.name });
    return proofs[0] ?? refusedProof(tried, 'it has no proof');
  } catch (error) {
    return refusedProof(tried, reasonOf(error));
  }
}

export const refusedProof = (tried: TriedRewrite, reason: string): Proof => ({
  ...{ remedy: tried.name, plan: planOf(tried), equality: 'refused', losses: [], reason },
});

/** An error in one line. If a process ended by itself, the line includes the last line that the process printed. */
export function reasonOf(error: unknown): string {
  const { code, message } = runError(error);
  const [headline = '', , ...printed] = message.trimEnd().split('\n');
  const last = printed.at(-1);
  return code === 'guest-exited' && last !== undefined ? `${headline}. It printed: ${last}` : headline;
}
