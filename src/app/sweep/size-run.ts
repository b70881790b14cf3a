import { messagesInFlight, toPeakMemory } from '../../core/measure/memory.ts';
import { medianInterval } from '../../core/stats/intervals.ts';
import {
  findError,
  findSamples,
  ORIGINAL,
  ratioToOriginal,
  type TimedPart,
} from '../../core/stats/variant-samples.ts';
import type { RunError } from '../../model/documents/report.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import { isLocal } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { isMemorySeen } from '../../model/run/runtime.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import type { Measured, Variant } from '../../model/wire/wire.ts';
import { measureMemoryOnce, warnOfMemory } from '../analyze/memory-run.ts';
import { runError } from '../payloads.ts';
import { type SampledPayload, sample } from '../sample.ts';
import type { SizedRecipe } from './series.ts';
import type { StrategyVariant, SweepRun } from './strategies.ts';

/** Messages of one size; in several processes, as far as `budgetMs` goes. `only`: these strategies beside `raw`. */
export function sampleSize(
  { runtime, channel, variants: strategies, request, tools }: SweepRun,
  recipe: Recipe,
  { budgetMs, sliceMs, only }: { budgetMs: number; sliceMs: number; only?: readonly string[] },
): Promise<SampledPayload> {
  const chosen = strategies.filter(({ strategy }) => only?.includes(strategy) ?? true);
  const variants = [ORIGINAL, ...chosen.map(({ variant }) => variant)];
  const plan = { budgetMs, sliceMs, variants, seed: request.seed };
  return sample({ recipe, runtime, channel, plan }, request, tools);
}

type SizedPayload = Pick<SweepPoint, 'payload' | 'unit' | 'size'>;

/** One point for each strategy of the run. */
export const pointsOf = (
  { payload, unit, size }: SizedPayload,
  run: SweepRun,
  sampled: SampledPayload,
): SweepPoint[] =>
  [{ strategy: RAW, variant: ORIGINAL }, ...run.variants].map((variant) =>
    pointOf({ payload, unit, size }, run, variant, sampled),
  );

function pointOf(
  payload: SizedPayload,
  { runtime: { name, version }, channel, variants, request: { seed } }: SweepRun,
  { strategy, variant: { id } }: StrategyVariant,
  { results, error }: SampledPayload,
): SweepPoint {
  const legOf = (leg: TimedPart) => medianInterval(findSamples(results, id, leg), seed);
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
  const said = findError(results, id);
  if (said !== null) return { code: 'measure-failed', message: said };
  return runError(error ?? new ToolError('measure-failed', { detail: 'no time was left' }));
}

/** Duration of one memory process, ms. */
const PROCESS_MS = 350;

/**
 * The points of one size with the memory of their messages in flight, in processes of their own, as far as `roomMs`
 * goes. `raw` alone is measured at each size, the others at the largest, where it matters most.
 */
export async function withMemoryUse(
  points: readonly SweepPoint[],
  run: SweepRun,
  sized: SizedRecipe & { isLargest: boolean },
  roomMs: number,
): Promise<SweepPoint[]> {
  // Such a channel leaves nothing in flight.
  if (isLocal(run.channel) || !isMemorySeen(run.runtime)) return [...points];
  const { request, tools } = run;
  const { isLargest } = sized;
  const began = tools.now();
  const rewrites = isLargest ? run.variants.map(({ strategy, variant }) => [strategy, variant] as const) : [];
  const variants = new Map<string, Variant>([[RAW, ORIGINAL], ...rewrites]);
  const measured: SweepPoint[] = [];
  for (const point of points) {
    const variant = variants.get(point.strategy);
    // The memory of the largest payload is worth more than the budget.
    const isOwed = isLargest && point.strategy === RAW;
    const isOver = !isOwed && tools.now() - began + PROCESS_MS > roomMs;
    const isSkipped = !variant || point.roundTrip === null || isOver || request.signal?.aborted;
    measured.push(
      isSkipped ? point : { ...point, peakMemory: await peakMemoryOf(point, variant, run, sized) },
    );
  }
  return measured;
}

async function peakMemoryOf(
  { roundTrip }: SweepPoint,
  variant: Variant,
  { runtime, channel, request, tools }: SweepRun,
  { recipe, bytes }: SizedRecipe,
): Promise<SweepPoint['peakMemory']> {
  const tripMs = (roundTrip?.median ?? 0) / 1e6;
  const facts = { bytes, tripMs, machineBytes: tools.machine.memoryBytes };
  const target = { recipe, runtime, channel, facts };
  try {
    return toPeakMemory(await measureMemoryOnce(variant, messagesInFlight(facts), target, request, tools));
  } catch (error) {
    if (!request.signal?.aborted) warnOfMemory(variant, error, target, tools);
    return null;
  }
}
