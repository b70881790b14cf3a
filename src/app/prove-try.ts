import type { Channel } from '../model/names.ts';
import type { Recipe } from '../model/report/recipe.ts';
import { planOf, type TriedRewrite } from '../model/rules/tried.ts';
import type { Proof } from '../model/wire/wire.ts';
import type { GuestSlot } from './guest-slot.ts';
import { runError } from './payloads.ts';

/** The proof of a rewrite of the user's. Whatever becomes of its guest is the reason why it is refused. */
export async function proveTry(
  tried: TriedRewrite,
  { recipe, slot, channel }: { recipe: Recipe; slot: GuestSlot; channel: Channel },
  deadlineMs: number,
): Promise<Proof> {
  const asked = { remedy: tried.name, plan: planOf(tried) };
  try {
    const { proofs } = await slot.ask(
      { type: 'prove', recipe, channel, plans: [asked] },
      { file: tried.name, deadlineMs },
    );
    return proofs[0] ?? refusedProof(tried, 'it has no proof');
  } catch (error) {
    return refusedProof(tried, reasonOf(error));
  }
}

export const refusedProof = (tried: TriedRewrite, reason: string): Proof => ({
  remedy: tried.name,
  plan: planOf(tried),
  equality: 'refused',
  losses: [],
  reason,
});

/** In one line; of a process that ended by itself with the last that it printed. */
export function reasonOf(error: unknown): string {
  const { code, message } = runError(error);
  const [headline = '', , ...printed] = message.trimEnd().split('\n');
  const last = printed.at(-1);
  return code === 'guest-exited' && last !== undefined ? `${headline}. It printed: ${last}` : headline;
}
