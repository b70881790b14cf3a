import { ORIGINAL } from '../../core/measure/variant.ts';
import { medianInterval } from '../../core/stats/intervals.ts';
import { errorOf, ratioToOriginal, samplesOf, type TimedPart } from '../../core/stats/variant-samples.ts';
import { shareOf } from '../../core/sweep/budget.ts';
import { RAW } from '../../core/sweep/summary.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { RunError } from '../../model/report/report.ts';
import type { SweepPoint } from '../../model/report/sweep.ts';
import type { Measured } from '../../model/wire/wire.ts';
import { runError } from '../payloads.ts';
import { type Sampled, sample } from '../sample.ts';
import { withMemoryUse } from './memory.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import type { Series, SizedRecipe } from './series.ts';
import { SizeCosts } from './size-costs.ts';
import type { StrategyVariant, SweepRun } from './strategies.ts';

/** Of the time for one size; the rest is for measuring the memory. */
const TIME_SHARE = 0.85;

interface SizedPoint extends SizedRecipe, SizedPayload {
  isLargest: boolean;
}

/**
 * Every size of every series on one runtime over one channel, the smallest first, within `budgetMs`: each gets a share by
 * what it is expected to cost, and what was not used goes to those that come later. A size for which too little is left
 * is not measured, and its points say so. Ends early when interrupted; what was measured is kept.
 */
export async function runSweep(
  run: SweepRun,
  series: readonly Series[],
  budgetMs: number,
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint[]> {
  const began = tools.now();
  const sizes = series.flatMap(({ id: payload, unit, recipes }) =>
    recipes.map((sized): SizedPoint => ({ ...sized, payload, unit, isLargest: sized === recipes.at(-1) })),
  );
  const points: SweepPoint[] = [];
  const costs = new SizeCosts(run.variants.length + 1);
  for (const [at, sized] of sizes.entries()) {
    if (request.signal?.aborted) break;
    const start = tools.now();
    const leftMs = budgetMs - (start - began);
    const cost = costs.of(sized);
    const others = sizes.slice(at + 1).map((one) => costs.of(one));
    const shareMs = shareOf([cost, ...others], leftMs);
    const sampled =
      shareMs === null
        ? overBudget(cost.messagesMs, leftMs)
        : await sampleSize(run, sized.recipe, { budgetMs: shareMs * TIME_SHARE, ...cost }, request, tools);
    if (sampled.results.length === 0 && request.signal?.aborted) break;
    const timed = pointsOf(sized, run, sampled, request.seed);
    costs.learn(sized, timed);
    const roomMs = (shareMs ?? 0) - (tools.now() - start);
    points.push(...(await withMemoryUse(timed, run, sized, roomMs, request, tools)));
  }
  return points;
}

const seconds = (ms: number): string => `${Math.max(0, ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

function overBudget(needMs: number, leftMs: number): Sampled {
  const detail = `it takes about ${seconds(needMs)}, and ${seconds(leftMs)} of the budget are left. Raise --budget, or lower the sizes with --scale`;
  return { results: [], dropped: [], error: new ToolError('measure-failed', { detail }) };
}

function sampleSize(
  { runtime, channel, variants: strategies }: SweepRun,
  recipe: Recipe,
  { budgetMs, sliceMs }: { budgetMs: number; sliceMs: number },
  request: SweepRequest,
  tools: SweepTools,
): Promise<Sampled> {
  const variants = [ORIGINAL, ...strategies.map(({ variant }) => variant)];
  const plan = { budgetMs, sliceMs, variants, seed: request.seed };
  return sample({ recipe, runtime, channel, plan }, request, tools);
}

type SizedPayload = Pick<SweepPoint, 'payload' | 'unit' | 'size'>;

function pointsOf(
  { payload, unit, size }: SizedPayload,
  run: SweepRun,
  sampled: Sampled,
  seed: number,
): SweepPoint[] {
  const variants = [{ strategy: RAW, variant: ORIGINAL }, ...run.variants];
  return variants.map((variant) => pointOf({ payload, unit, size }, run, variant, sampled, seed));
}

function pointOf(
  payload: SizedPayload,
  { runtime: { name, version }, channel, variants }: SweepRun,
  { strategy, variant: { id } }: StrategyVariant,
  { results, error }: Sampled,
  seed: number,
): SweepPoint {
  const legOf = (leg: TimedPart) => medianInterval(samplesOf(results, id, leg), seed);
  const roundTrip = legOf('roundTrip');
  const isCompared = strategy !== RAW && roundTrip !== null;
  return {
    runtime: { name, version },
    channel,
    ...payload,
    strategy,
    roundTrip,
    send: legOf('send'),
    receive: legOf('receive'),
    ratio: isCompared ? ratioToOriginal(results, ORIGINAL.id, id, seed, variants.length) : null,
    peakMemory: null,
    published: null,
    error: roundTrip === null ? whyNot(results, id, error) : null,
  };
}

function whyNot(results: readonly Measured[], id: string, error: unknown): RunError {
  const said = errorOf(results, id);
  if (said !== null) return { code: 'measure-failed', message: said };
  return runError(error ?? new ToolError('measure-failed', { detail: 'no time was left' }));
}
