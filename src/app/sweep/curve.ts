import { medianInterval } from '../../core/stats/intervals.ts';
import { errorOf, type Leg, ratioToOriginal, samplesOf } from '../../core/stats/turns.ts';
import { RAW } from '../../core/sweep/summary.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { RunError } from '../../model/report.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import type { SweepPoint } from '../../model/sweep.ts';
import type { Measured } from '../../model/wire.ts';
import { runError } from '../payloads.ts';
import { type Sampled, sample } from '../sample.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import type { Series } from './series.ts';
import { ORIGINAL, type StrategyVariant } from './strategies.ts';
import { weighed } from './weigh.ts';

export interface SweepRun {
  runtime: FoundRuntime;
  channel: Channel;
  variants: readonly StrategyVariant[];
}

/**
 * Every size of every series on one runtime over one channel, the smallest first. Sizes that are decided early leave
 * their time to those that come later. Ends early when interrupted; what was measured is kept.
 */
export async function runSweep(
  course: SweepRun,
  series: readonly Series[],
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint[]> {
  const began = tools.now();
  const stops = series.flatMap((of) =>
    of.recipes.map((stop) => ({ ...stop, of, largest: stop === of.recipes.at(-1) })),
  );
  const points: SweepPoint[] = [];
  for (const [at, { size, recipe, bytes, largest, of }] of stops.entries()) {
    if (request.signal?.aborted) break;
    const start = tools.now();
    const leftMs = Math.max(LEAST_MS, request.budgetMs - (start - began)) / (stops.length - at);
    const timeMs = Math.max(LEAST_MS, leftMs * TIME_SHARE);
    const sampled = await sampleStop(course, recipe, timeMs, request, tools);
    if (sampled.results.length === 0 && request.signal?.aborted) break;
    const timed = pointsOf({ payload: of.id, unit: of.unit, size }, course, sampled, request.seed);
    const roomMs = leftMs - (tools.now() - start);
    points.push(...(await weighed(timed, course, { recipe, bytes, largest }, roomMs, request, tools)));
  }
  return points;
}

function sampleStop(
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

/** The rest is for weighing the memory. */
const TIME_SHARE = 0.85;

/** Even when earlier sizes took all the time, each is measured in one process at least. */
const LEAST_MS = 600;

type Spot = Pick<SweepPoint, 'payload' | 'unit' | 'size'>;

function pointsOf(spot: Spot, course: SweepRun, sampled: Sampled, seed: number): SweepPoint[] {
  const variants = [{ strategy: RAW, variant: ORIGINAL }, ...course.variants];
  return variants.map((variant) => pointOf(spot, course, variant, sampled, seed));
}

function pointOf(
  spot: Spot,
  { runtime: { name, version }, channel, variants }: SweepRun,
  { strategy, variant: { id } }: StrategyVariant,
  { results, error }: Sampled,
  seed: number,
): SweepPoint {
  const legOf = (leg: Leg) => medianInterval(samplesOf(results, id, leg), seed);
  const roundTrip = legOf('roundTrip');
  const compared = strategy !== RAW && roundTrip !== null;
  return {
    runtime: { name, version },
    channel,
    ...spot,
    strategy,
    roundTrip,
    send: legOf('send'),
    receive: legOf('receive'),
    ratio: compared ? ratioToOriginal(results, RAW, id, seed, variants.length) : null,
    peakMemory: null,
    published: null,
    error: roundTrip === null ? whyNot(results, id, error) : null,
  };
}

function whyNot(results: readonly Measured[], id: string, error: unknown): RunError {
  const said = errorOf(results, id);
  if (said !== null) return { code: 'measure-failed', message: said };
  return runError(error ?? new ToolError('measure-failed', { detail: 'no time was left for it' }));
}
