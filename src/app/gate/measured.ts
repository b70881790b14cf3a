import { factsIn, sampleIn } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import {
  type LimitCheck,
  resultOf,
  softly,
  unmeasured,
  withoutBaseline,
} from '../../core/gate/limit-check.ts';
import { causeOfIncrease } from '../../core/gate/main-cause.ts';
import { masked } from '../../core/gate/masked.ts';
import { judgeRatio } from '../../core/gate/ratio.ts';
import { FLOOR, ORIGINAL } from '../../core/measure/variant.ts';
import { errorOf, ratioToOriginal } from '../../core/stats/variant-samples.ts';
import type { Baseline } from '../../model/baseline.ts';
import { type CheckEntry, type Limit, type LimitResult, MEASURED_LIMITS } from '../../model/check.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { Run } from '../../model/report.ts';
import type { Variant } from '../../model/wire.ts';
import { runError } from '../payloads.ts';
import { sample } from '../sample.ts';
import type { GuestTerms, MeasureTools } from '../tools.ts';
import type { Gathered, GuestPool } from './gather.ts';
import { memoryAgainst } from './memory-against.ts';
import { canBeKept, type KeepSample, sampleOf, sampleRecipe } from './sampled.ts';

export interface MeasureTerms extends GuestTerms {
  /** Per payload and runtime. */
  budgetMs: number;
  seed: number;
  keepSample: KeepSample;
  machineBytes: number;
}

/** The limits that must be measured: the payload of the baseline against the current one, in the same run. */
export async function judgeMeasured(
  one: Gathered,
  baseline: Baseline | null,
  slots: GuestPool,
  terms: MeasureTerms,
  tools: MeasureTools,
): Promise<LimitResult[]> {
  const results: LimitResult[] = [];
  for (const name of MEASURED_LIMITS) {
    const limit = one.entry.limits[name];
    if (!limit || limit.level === 'off') continue;
    // Said as `unmatched`.
    if (baseline !== null && factsOf(one.run) && !factsIn(baseline, one.entry.id, one.key)) continue;
    const judged = await judgeOne(name, limit, one, baseline, slots, terms, tools);
    results.push(resultOf(one.entry, one.run, name, limit, judged));
  }
  return results;
}

async function judgeOne(
  name: (typeof MEASURED_LIMITS)[number],
  limit: Limit,
  one: Gathered,
  baseline: Baseline | null,
  slots: GuestPool,
  terms: MeasureTerms,
  tools: MeasureTools,
): Promise<LimitCheck> {
  const { entry, run, slot, recipe } = one;
  if (slot === null || run.status === 'failed') {
    return unmeasured(run.error?.message ?? 'the run failed');
  }
  const was = factsIn(baseline, entry.id, one.key);
  if (was === null) return withoutBaseline(entry.id, limit);
  const kept = sampleIn(baseline, entry.id);
  if (kept === null) return softly(limit, noSample(run, entry));
  if (kept.notFor?.includes(one.key)) return softly(limit, UNLIKE);
  try {
    const before = JSON.stringify(kept.json);
    const now = await sampleOf(recipe, run, slot, terms.timeoutMs);
    const shown = now !== null && kept.masked ? JSON.stringify(masked(JSON.parse(now))) : now;
    // The same payload with the same facts cannot have another time or memory.
    if (shown === before && JSON.stringify(factsOf(run)) === JSON.stringify(was)) return UNCHANGED;
    // An idle guest would take cycles and memory from a measured one.
    await slots.close();
    const old = sampleRecipe(recipe, await terms.keepSample(entry.id, before));
    const most = 1 + Number(limit.value);
    const judged =
      name === 'time'
        ? await timeAgainst(old, one, most, terms, tools)
        : await memoryAgainst(old, one, most, terms.machineBytes, terms, tools);
    return judged.outcome === 'failed' ? { ...judged, ...causeOfIncrease(run, was) } : judged;
  } catch (error) {
    return unmeasured(runError(error).message);
  }
}

const noSample = ({ shape }: Run, { transfer }: CheckEntry): string =>
  canBeKept(shape) && transfer.length === 0
    ? 'it needs a copy of the payload in the baseline to measure against. Keep one: clone-prof baseline --samples'
    : 'the baseline can hold no copy of it to measure against: only what JSON can express, up to 64 kB, nothing transferred';

const UNLIKE =
  'the copy in the baseline takes another path there than the payload did: JSON keeps no holes, deletes or classes';

const UNCHANGED: LimitCheck = { outcome: 'passed', actual: 1, change: 1, path: null };

/** Old and new interleaved in the same processes, so that load of the machine affects both. */
async function timeAgainst(
  old: Recipe,
  { recipe, run, slot, entry }: Gathered,
  limit: number,
  terms: MeasureTerms,
  tools: MeasureTools,
): Promise<LimitCheck> {
  if (slot === null) return unmeasured('the runtime is missing');
  const variants = variantsFor(recipe);
  const plan = { budgetMs: terms.budgetMs, variants, seed: terms.seed, limit };
  const sampling = { recipe: { ...old, id: entry.id }, runtime: slot.runtime, channel: run.channel, plan };
  const { results, error } = await sample(sampling, terms, tools);
  const ratio = ratioToOriginal(results, 'before', 'now', terms.seed, 1);
  if (ratio !== null) return judgeRatio(ratio, limit, results.length);
  const said = errorOf(results, 'now') ?? errorOf(results, 'before');
  return unmeasured(said ?? (error ? runError(error).message : 'not enough time'));
}

function variantsFor(now: Recipe): Variant[] {
  return [FLOOR, { ...ORIGINAL, id: 'before' }, { ...ORIGINAL, id: 'now', mode: 'in-place', recipe: now }];
}
