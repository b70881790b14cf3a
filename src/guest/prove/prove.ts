import { compare } from '../../core/compare/compare.ts';
import type { Recipe } from '../../model/recipe.ts';
import { type Loss, type Plan, type Remedy, RemedyRefused } from '../../model/remedy.ts';
import type { GuestRequest, Proof, Proved } from '../../model/wire.ts';
import { build } from '../payload/materialize.ts';
import { messageOf } from '../user-code/user-code.ts';
import { deliver } from './deliver.ts';
import { remedyByName } from './remedy-by-name.ts';

type ProveAsk = Extract<GuestRequest, { type: 'prove' }>;
type Outcome = Pick<Proof, 'equality' | 'losses' | 'reason'>;

/** What a rewrite is held against. */
interface Original {
  recipe: Recipe;
  /** Never posted, never rewritten. */
  untouched: unknown;
  /** Paths where two values of this recipe differ: a factory that asks the clock or chance. Grows as they are seen. */
  unsteady: Set<string>;
  /** A plain clone of it; null when it cannot be cloned. */
  cloned: { data: unknown } | null;
}

/**
 * Proves each plan on a fresh value: apply, a real delivery, restore, comparison. Plain cloning has losses of its own
 * (classes, symbol keys, getters), which are no fault of the rewrite, so what counts as lost is what a plain clone of
 * the same value would have kept. Where the value cannot be cloned at all, it is compared with itself.
 *
 * @throws what building the payload throws
 */
export async function prove({ recipe, plans }: ProveAsk): Promise<Proved> {
  const original = await originalOf(recipe);
  const proofs: Proof[] = [];
  for (const { remedy, plan } of plans) {
    proofs.push({ remedy, plan, ...(await proof(original, remedy, plan)) });
  }
  return { type: 'proved', proofs };
}

async function originalOf(recipe: Recipe): Promise<Original> {
  const { value: untouched } = await build(recipe);
  const { value: another } = await build(recipe);
  const unsteady = pathsOf(compare(untouched, another));
  return { recipe, untouched, unsteady, cloned: await clonedOrNull(another) };
}

async function clonedOrNull(value: unknown): Promise<{ data: unknown } | null> {
  try {
    return await deliver(value);
  } catch {
    return null;
  }
}

async function proof(original: Original, name: string, plan: Plan): Promise<Outcome> {
  try {
    const remedy = remedyByName(name);
    const tried = await attempt(original, remedy, plan);
    // A clock may not have ticked until now: then there is no more to it than that, and the next attempt knows.
    const ticked = 'changed' in tried && (await isUnsteady(original, tried.changed));
    const outcome = ticked ? await attempt(original, remedy, plan) : tried;
    return 'changed' in outcome
      ? failed(`the rewrite changed the payload itself, at ${outcome.changed}`)
      : outcome;
  } catch (error) {
    if (error instanceof RemedyRefused) return { equality: 'refused', losses: [], reason: error.message };
    return failed(messageOf(error));
  }
}

/** Once through, on a value of its own. `changed`: where the input is not what it was. */
async function attempt(
  original: Original,
  remedy: Remedy,
  plan: Plan,
): Promise<Outcome | { changed: string }> {
  const { value } = await build(original.recipe);
  // A value that is never the same twice has to be compared with its own clone.
  const cloned = original.cloned && original.unsteady.size > 0 ? await deliver(value) : original.cloned;
  const message = remedy.apply(value, plan);
  const changed = compare(original.untouched, value).find(({ path }) => !original.unsteady.has(path));
  if (changed) return { changed: changed.path };
  const { data } = await deliver(message, remedy.transfer?.(message, plan) ?? []);
  const restored = remedy.restore(data, plan);
  const losses = lossesOf({ ...original, cloned }, value, restored);
  return { equality: losses.length === 0 ? 'equal' : 'lossy', losses, reason: null };
}

async function isUnsteady({ recipe, untouched, unsteady }: Original, path: string): Promise<boolean> {
  const { value } = await build(recipe);
  for (const found of pathsOf(compare(untouched, value))) unsteady.add(found);
  return unsteady.has(path);
}

const failed = (reason: string): Outcome => ({ equality: 'failed', losses: [], reason });

/** `value` is what was rewritten; its buffers may be gone with the message. */
function lossesOf({ untouched, unsteady, cloned }: Original, value: unknown, restored: unknown): Loss[] {
  if (cloned === null) return compare(unsteady.size > 0 ? value : untouched, restored);
  const losses = compare(cloned.data, restored);
  if (losses.length === 0) return losses;
  // A rewrite that keeps what a plain clone loses differs from the clone, and loses nothing.
  const real = pathsOf(compare(untouched, restored));
  return losses.filter(({ path }) => real.has(path));
}

const pathsOf = (losses: readonly Loss[]): Set<string> => new Set(losses.map(({ path }) => path));
