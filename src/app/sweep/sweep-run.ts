import { ORIGINAL } from '../../core/measure/variant.ts';
import { medianInterval } from '../../core/stats/intervals.ts';
import { errorOf, ratioToOriginal, samplesOf, type TimedPart } from '../../core/stats/variant-samples.ts';
import { RAW } from '../../core/sweep/summary.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { RunError } from '../../model/report.ts';
import type { SweepPoint } from '../../model/sweep.ts';
import type { Measured } from '../../model/wire.ts';
import { runError } from '../payloads.ts';
import { type Sampled, sample } from '../sample.ts';
import { withMemoryUse } from './memory.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import type { Series } from './series.ts';
import type { StrategyVariant, SweepRun } from './strategies.ts';

/** Of the time for one size; the rest is for measuring the memory. */
const TIME_SHARE = 0.85;

/** Even when earlier sizes took all the time, each size is measured in at least one process. */
const LEAST_MS = 600;

/**
 * Every size of every series on one runtime over one channel, the smallest first. Sizes that are decided early leave
 * their time to those that come later. Ends early when interrupted; what was measured is kept.
 */
export async function runSweep(
  run: SweepRun,
  series: readonly Series[],
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint[]> {
  const began = tools.now();
  const sizes = series.flatMap(({ id: payload, unit, recipes }) =>
    recipes.map((sized) => ({ ...sized, payload, unit, isLargest: sized === recipes.at(-1) })),
  );
  const points: SweepPoint[] = [];
  for (const [at, sized] of sizes.entries()) {
    if (request.signal?.aborted) break;
    const start = tools.now();
    const shareMs = Math.max(LEAST_MS, request.budgetMs - (start - began)) / (sizes.length - at);
    const budgetMs = Math.max(LEAST_MS, shareMs * TIME_SHARE);
    const sampled = await sampleSize(run, sized.recipe, budgetMs, request, tools);
    if (sampled.results.length === 0 && request.signal?.aborted) break;
    const { payload, unit, size } = sized;
    const timed = pointsOf({ payload, unit, size }, run, sampled, request.seed);
    const roomMs = shareMs - (tools.now() - start);
    points.push(...(await withMemoryUse(timed, run, sized, roomMs, request, tools)));
  }
  return points;
}

function sampleSize(
  { runtime, channel, variants: strategies }: SweepRun,
  recipe: Recipe,
  budgetMs: number,
  request: SweepRequest,
  tools: SweepTools,
): Promise<Sampled> {
  const variants = [ORIGINAL, ...strategies.map(({ variant }) => variant)];
  const plan = { budgetMs, variants, seed: request.seed };
  return sample({ recipe, runtime, channel, plan }, request, tools);
}

type SizedPayload = Pick<SweepPoint, 'payload' | 'unit' | 'size'>;

function pointsOf(payload: SizedPayload, run: SweepRun, sampled: Sampled, seed: number): SweepPoint[] {
  const variants = [{ strategy: RAW, variant: ORIGINAL }, ...run.variants];
  return variants.map((variant) => pointOf(payload, run, variant, sampled, seed));
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
