import { compare } from '../core/compare.ts';
import type { Recipe } from '../model/recipe.ts';
import { type Loss, type Plan, type Remedy, RemedyRefused } from '../model/remedy.ts';
import type { Ask, Proof, Proved } from '../model/wire.ts';
import { deliver } from './deliver.ts';
import { build } from './materialize.ts';
import { remedyNamed } from './remedy-named.ts';
import { sayingOf } from './user-code.ts';

type ProveAsk = Extract<Ask, { type: 'prove' }>;
type Outcome = Pick<Proof, 'equality' | 'losses' | 'reason'>;

/** What a rewrite is held against. */
interface Original {
  recipe: Recipe;
  /** Never posted, never rewritten. */
  untouched: unknown;
  /** Paths where two values of this recipe differ: a factory that asks the clock or chance. */
  unsteady: ReadonlySet<string>;
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
  const { value } = await build(original.recipe);
  try {
    const remedy = remedyNamed(name);
    // A value that is never the same twice has to be compared with its own clone.
    const cloned = original.cloned && original.unsteady.size > 0 ? await deliver(value) : original.cloned;
    const message = remedy.apply(value, plan);
    const changed = changedPath(original, value);
    if (changed !== null) return failed(`the rewrite changed the payload itself, at ${changed}`);
    const restored = await travel(remedy, plan, message);
    const losses = lossesOf({ ...original, cloned }, value, restored);
    return { equality: losses.length === 0 ? 'equal' : 'lossy', losses, reason: null };
  } catch (error) {
    if (error instanceof RemedyRefused) return { equality: 'refused', losses: [], reason: error.message };
    return failed(sayingOf(error));
  }
}

const failed = (reason: string): Outcome => ({ equality: 'failed', losses: [], reason });

/** Where the input is not what it was; null when it is. */
function changedPath({ untouched, unsteady }: Original, value: unknown): string | null {
  return compare(untouched, value).find(({ path }) => !unsteady.has(path))?.path ?? null;
}

async function travel(remedy: Remedy, plan: Plan, message: unknown): Promise<unknown> {
  const { data } = await deliver(message, remedy.transfer?.(message, plan) ?? []);
  return remedy.restore(data, plan);
}

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
