import { sampleIn } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import { type LimitCheck, softly, unmeasured } from '../../core/gate/limit-check.ts';
import { valueFacts } from '../../core/gate/value-facts.ts';
import { masked } from '../../core/masking.ts';
import type { Baseline, BaselineFacts } from '../../model/documents/baseline.ts';
import type { Run } from '../../model/documents/report.ts';
import type { CheckEntry, Limit } from '../../model/gate/check.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import type { BasePayloads } from './base.ts';
import type { Gathered } from './gather.ts';
import { canBeKept, type KeepSample, sampleOf, sampleRecipe } from './sampled.ts';

/** The payload of before, to be measured against the one of now; or what is known without measuring. */
export type Earlier = { recipe: Recipe } | { judged: LimitCheck };

export interface EarlierTerms {
  keepSample: KeepSample;
  timeoutMs: number;
}

/** Out of the baseline, which keeps a copy of small payloads. */
export async function earlierInBaseline(
  { entry, run, slot, recipe, key }: Gathered & { slot: NonNullable<Gathered['slot']> },
  limit: Limit,
  was: BaselineFacts,
  baseline: Baseline | null,
  { keepSample, timeoutMs }: EarlierTerms,
): Promise<Earlier> {
  const kept = sampleIn(baseline, entry.id);
  if (kept === null) return { judged: softly(limit, noSample(run, entry)) };
  if (kept.notFor?.includes(key)) return { judged: softly(limit, UNLIKE) };
  const before = JSON.stringify(kept.json);
  const now = await sampleOf(recipe, run, slot, timeoutMs);
  const shown = now !== null && kept.masked ? JSON.stringify(masked(JSON.parse(now))) : now;
  // The same payload with the same facts cannot have another time or memory.
  if (shown === before && isEqual(factsOf(run), was)) return { judged: UNCHANGED };
  return { recipe: sampleRecipe(recipe, await keepSample(entry.id, before)) };
}

/** Out of the other commit. */
export async function earlierInBase(
  one: Gathered,
  was: BaselineFacts,
  { twinOf, isSameFile }: BasePayloads,
): Promise<Earlier> {
  const twin = twinOf(one);
  if (twin === null) return { judged: unmeasured('it is not in the other commit') };
  const isSame = isEqual(factsOf(one.run), was) && (await isSameFile(one.recipe, twin.recipe));
  if (isSame) return { judged: UNCHANGED };
  return { recipe: withFacts(twin.recipe, twin.run) };
}

/** Both sides are timed in one process, whose working folder is that of now: a module must make the value there too. */
export function withFacts(recipe: Recipe, { via, shape }: Run): Recipe {
  const own = via?.shape ?? shape;
  return isModule(recipe) && own ? { ...recipe, facts: valueFacts(own) } : recipe;
}

const isEqual = (a: BaselineFacts | null, b: BaselineFacts) => JSON.stringify(a) === JSON.stringify(b);

const noSample = ({ shape }: Run, { transfer }: CheckEntry): string =>
  canBeKept(shape) && transfer.length === 0
    ? 'it needs a copy of the payload in the baseline to measure against. Keep one: clone-prof baseline --samples'
    : 'the baseline can hold no copy of it to measure against: only what JSON can express, up to 64 kB, nothing transferred';

const UNLIKE =
  'the copy in the baseline takes another path there than the payload did: JSON keeps no holes, deletes or classes';

const UNCHANGED: LimitCheck = { outcome: 'passed', actual: 1, change: 1, path: null };
