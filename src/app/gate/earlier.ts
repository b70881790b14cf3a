/** The payload of before, against which the one of now is measured. */
import { sampleIn } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import { type LimitCheck, softly, unmeasured } from '../../core/gate/limit-check.ts';
import { valueFacts } from '../../core/gate/value-facts.ts';
import { masked } from '../../core/masking.ts';
import type { Baseline, BaselineFacts } from '../../model/documents/baseline.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Limit } from '../../model/gate/limits.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import type { BasePayloads } from './base.ts';
import type { GateJob } from './gather.ts';
import type { GateRequest } from './request.ts';

/** A payload of before, or what is known without measuring. */
type Earlier = { recipe: Recipe } | { judged: LimitCheck };

/** Out of the baseline, which keeps a copy of small payloads. */
export async function earlierInBaseline(
  one: GateJob,
  limit: Limit,
  was: BaselineFacts,
  baseline: Baseline | null,
  { keepSample }: GateRequest,
): Promise<Earlier> {
  const { entry, run, recipe, key } = one;
  const kept = sampleIn(baseline, entry.id);
  if (kept === null) return { judged: softly(limit, canBeKept(one) ? NO_SAMPLE : NO_SAMPLE_POSSIBLE) };
  if (kept.notFor?.includes(key)) return { judged: softly(limit, UNLIKE) };
  const before = JSON.stringify(kept.json);
  const now = await sampleOf(one);
  const shown = now !== null && kept.masked ? JSON.stringify(masked(JSON.parse(now))) : now;
  // The same payload with the same facts cannot have another time or memory.
  if (shown === before && isEqual(factsOf(run), was)) return { judged: UNCHANGED };
  return { recipe: sampleRecipe(recipe, await keepSample(before)) };
}

/** Out of the other commit. */
export async function earlierInBase(
  one: GateJob,
  was: BaselineFacts,
  { twinOf, isSameFile }: BasePayloads,
): Promise<Earlier> {
  const twin = twinOf(one);
  if (twin === null) return { judged: unmeasured('it is not in the other commit') };
  const isSame = isEqual(factsOf(one.run), was) && (await isSameFile(one.recipe, twin.recipe));
  return isSame ? { judged: UNCHANGED } : { recipe: withFacts(twin) };
}

/** Both sides are timed in one process, whose working folder is that of now: a module must make the value there too. */
export function withFacts({ recipe, run: { via, shape } }: Pick<GateJob, 'recipe' | 'run'>): Recipe {
  const own = via?.shape ?? shape;
  return isModule(recipe) && own ? { ...recipe, facts: valueFacts(own) } : recipe;
}

const isEqual = (a: BaselineFacts | null, b: BaselineFacts) => JSON.stringify(a) === JSON.stringify(b);

const NO_SAMPLE =
  'it needs a copy of the payload in the baseline to measure against. Keep one: clone-prof baseline --samples';
const NO_SAMPLE_POSSIBLE =
  'the baseline can hold no copy of it to measure against: only what JSON can express, up to 64 kB, nothing transferred';
const UNLIKE =
  'the copy in the baseline takes another path there than the payload did: JSON keeps no holes, deletes or classes';

const UNCHANGED: LimitCheck = { outcome: 'passed', actual: 1, change: 1, path: null };

/** Larger payloads are not kept: the baseline is read in code reviews. */
const MAX_BYTES = 64 * 1024;

const isSmallJson = ({ shape }: Run): boolean =>
  shape?.jsonSafe === true && (shape.jsonBytes ?? MAX_BYTES + 1) <= MAX_BYTES;

const canBeKept = ({ run, entry }: GateJob): boolean => isSmallJson(run) && entry.transfer.length === 0;

/** The payload as JSON text; null when it is too large, or when JSON cannot express it. */
export async function sampleOf({ recipe, run, slot }: GateJob): Promise<string | null> {
  if (!isSmallJson(run)) return null;
  const plain = { ...recipe, via: null };
  return (await slot.ask({ type: 'sample', recipe: plain, mostBytes: MAX_BYTES })).json;
}

/** The payload kept in the baseline, in the same envelope as the current one. */
export function sampleRecipe({ id, source, via }: Recipe, file: string): Recipe {
  return { id: `${id} (baseline)`, source, build: { form: 'json', file }, via: via ?? null };
}
