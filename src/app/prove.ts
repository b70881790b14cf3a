import type { Proposal } from '../core/classify/propose.ts';
import type { PayloadSchema } from '../model/documents/payload-schema.ts';
import type { Untried } from '../model/documents/trial.ts';
import { ToolError } from '../model/errors.ts';
import type { Channel } from '../model/names.ts';
import type { Recipe } from '../model/report/recipe.ts';
import { planOf, type TriedRewrite } from '../model/rules/tried.ts';
import type { Proof } from '../model/wire/wire.ts';
import type { GuestSlot } from './guest-slot.ts';
import { runError } from './payloads.ts';
import { emitStep, type GuestTerms, type MeasureTools } from './tools.ts';

export interface Proven {
  proofs: readonly Proof[];
  /** Plans without a proof, and why. */
  untried: Untried[];
  schema?: PayloadSchema | null;
}

type ProofTarget = { recipe: Recipe; channel: Channel; slot: GuestSlot };

/**
 * One plan after the other, the most promising first, all within one deadline. A proof that hangs or ends its guest
 * costs only itself and those for which no time is left.
 */
export async function provePlans(
  plans: readonly Proposal[],
  { recipe, channel, slot }: ProofTarget,
  { timeoutMs }: GuestTerms,
  tools: MeasureTools,
): Promise<Proven> {
  const began = tools.now();
  const proofs: Proof[] = [];
  const untried: Untried[] = [];
  for (const [done, proposal] of plans.entries()) {
    emitStep(tools, { recipe, runtime: slot.runtime, channel }, 'prove', done, plans.length);
    const deadlineMs = timeoutMs - (tools.now() - began);
    try {
      if (deadlineMs <= 0) throw new ToolError('guest-timeout', { ms: timeoutMs });
      const terms = { file: recipe.source.file, deadlineMs };
      proofs.push(...(await slot.ask({ type: 'prove', recipe, channel, plans: [proposal] }, terms)).proofs);
    } catch (error) {
      const isLate = error instanceof ToolError && error.code === 'guest-timeout';
      const { message } = runError(isLate ? new ToolError('proofs-timeout', { ms: timeoutMs }) : error);
      untried.push({ ...proposal, path: proposal.plan.path, reason: message });
    }
  }
  return { proofs, untried };
}

/** The proof of a rewrite of the user's. Whatever becomes of its guest is the reason why it is refused. */
export async function proveTry(
  tried: TriedRewrite,
  { recipe, slot, channel }: ProofTarget,
  deadlineMs: number,
): Promise<Proof> {
  const asked = { remedy: tried.name, plan: planOf(tried) };
  try {
    const terms = { file: tried.name, deadlineMs };
    const { proofs } = await slot.ask({ type: 'prove', recipe, channel, plans: [asked] }, terms);
    return proofs[0] ?? refusedProof(tried, 'it has no proof');
  } catch (error) {
    return refusedProof(tried, reasonOf(error));
  }
}

export const refusedProof = (tried: TriedRewrite, reason: string): Proof => ({
  ...{ remedy: tried.name, plan: planOf(tried), equality: 'refused', losses: [], reason },
});

/** In one line; of a process that ended by itself with the last that it printed. */
export function reasonOf(error: unknown): string {
  const { code, message } = runError(error);
  const [headline = '', , ...printed] = message.trimEnd().split('\n');
  const last = printed.at(-1);
  return code === 'guest-exited' && last !== undefined ? `${headline}. It printed: ${last}` : headline;
}
