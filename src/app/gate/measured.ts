import { factsIn } from '../../core/gate/baseline.ts';
import { causeOfIncrease, factsOf } from '../../core/gate/baseline-facts.ts';
import { type LimitCheck, resultOf, unmeasured, withoutBaseline } from '../../core/gate/limit-check.ts';
import { judgeRatio } from '../../core/gate/ratio.ts';
import { errorOf, FLOOR, ORIGINAL, ratioToOriginal } from '../../core/stats/variant-samples.ts';
import type { Baseline } from '../../model/documents/baseline.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import { type Limit, MEASURED_LIMITS, type UndecidedPolicy } from '../../model/gate/check.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { runError } from '../payloads.ts';
import { sample } from '../sample.ts';
import type { GuestTerms, MeasureTools } from '../tools.ts';
import type { BasePayloads } from './base.ts';
import { earlierInBase, earlierInBaseline, withFacts } from './earlier.ts';
import type { Gathered } from './gather.ts';
import type { GuestPool } from './guest-pool.ts';
import { memoryAgainst } from './memory-against.ts';
import type { KeepSample } from './sampled.ts';

export interface MeasureTerms extends GuestTerms {
  /** Per payload and runtime; 0: none is left. */
  budgetMs: number;
  /** As much again while the limit is within the interval. */
  extraMs: number;
  seed: number;
  /** What a limit within the interval means. */
  undecided: UndecidedPolicy;
  keepSample: KeepSample;
  machineBytes: number;
}

/** What the payloads of now are compared with. */
export interface Reference {
  baseline: Baseline | null;
  /** Set when `baseline` holds the facts of another commit. */
  base: BasePayloads | null;
}

/** The limits that must be measured: the payload of before against the current one, in the same run. */
export async function judgeMeasured(
  one: Gathered,
  reference: Reference,
  slots: GuestPool,
  common: MeasureTerms,
  tools: MeasureTools,
): Promise<LimitResult[]> {
  const terms = { ...common, sender: one.entry.sender };
  const results: LimitResult[] = [];
  for (const name of MEASURED_LIMITS) {
    const limit = one.entry.limits[name];
    if (!limit || limit.level === 'off') continue;
    // Said as `unmatched`.
    const { baseline } = reference;
    if (baseline !== null && factsOf(one.run) && !factsIn(baseline, one.entry.id, one.key)) continue;
    const judged = await judgeOne(name, limit, one, reference, slots, terms, tools);
    if (judged.outcome === 'unsure' && common.undecided === 'warn') judged.level = 'warn';
    results.push(resultOf(one.entry, one.run, name, limit, judged));
  }
  return results;
}

async function judgeOne(
  name: (typeof MEASURED_LIMITS)[number],
  limit: Limit,
  one: Gathered,
  { baseline, base }: Reference,
  slots: GuestPool,
  terms: MeasureTerms,
  tools: MeasureTools,
): Promise<LimitCheck> {
  const { entry, run, slot } = one;
  if (slot === null || run.status === 'failed') {
    return unmeasured(run.error?.message ?? 'the run failed');
  }
  const was = factsIn(baseline, entry.id, one.key);
  if (was === null) return withoutBaseline(entry.id, limit);
  try {
    const earlier = base
      ? await earlierInBase(one, was, base)
      : await earlierInBaseline({ ...one, slot }, limit, was, baseline, terms);
    if ('judged' in earlier) return earlier.judged;
    const old = earlier.recipe;
    const recipe = withFacts(one.recipe, run);
    // An idle guest would take cycles and memory from a measured one.
    await slots.close();
    const most = 1 + Number(limit.value);
    const judged =
      name === 'time'
        ? await timeAgainst(old, { ...one, recipe }, most, terms, tools)
        : await memoryAgainst(old, { ...one, recipe }, most, terms.machineBytes, terms, tools);
    return judged.outcome === 'failed' ? { ...judged, ...causeOfIncrease(run, was) } : judged;
  } catch (error) {
    return unmeasured(runError(error).message);
  }
}

/** Old and new interleaved in the same processes, so that load of the machine affects both. */
async function timeAgainst(
  old: Recipe,
  { recipe, run, slot, entry }: Gathered,
  limit: number,
  terms: MeasureTerms,
  tools: MeasureTools,
): Promise<LimitCheck> {
  if (slot === null) return unmeasured('the runtime is missing');
  if (terms.budgetMs === 0) return unmeasured('no time was left of --total');
  const variants = variantsFor(recipe);
  const { budgetMs, extraMs } = terms;
  const plan = { budgetMs, extraMs, variants, seed: terms.seed, limit, oneWay: [] };
  const sampling = { recipe: { ...old, id: entry.id }, runtime: slot.runtime, channel: run.channel, plan };
  const { results, error, spentMs } = await sample(sampling, terms, tools);
  const ratio = ratioToOriginal(results, 'before', 'now', terms.seed, 1);
  if (ratio !== null) return judgeRatio(ratio, limit, spentMs);
  const said = errorOf(results, 'now') ?? errorOf(results, 'before');
  return unmeasured(said ?? (error ? runError(error).message : 'not enough time'));
}

function variantsFor(now: Recipe): Variant[] {
  return [FLOOR, { ...ORIGINAL, id: 'before' }, { ...ORIGINAL, id: 'now', mode: 'in-place', recipe: now }];
}
