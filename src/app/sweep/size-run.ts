import { medianInterval } from '../../core/stats/intervals.ts';
import {
  errorOf,
  ORIGINAL,
  ratioToOriginal,
  samplesOf,
  type TimedPart,
} from '../../core/stats/variant-samples.ts';
import { RAW } from '../../core/sweep/crossovers.ts';
import type { RunError } from '../../model/documents/report.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Measured } from '../../model/wire/wire.ts';
import { runError } from '../payloads.ts';
import { type SampledPayload, sample } from '../sample.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import type { StrategyVariant, SweepRun } from './strategies.ts';

export interface SizeTerms {
  budgetMs: number;
  sliceMs: number;
  /** Only these beside `raw`; all without it. */
  only?: readonly string[];
}

/** Messages of one size; in several processes, as far as `budgetMs` goes. */
export function sampleSize(
  { runtime, channel, variants: strategies }: SweepRun,
  recipe: Recipe,
  { budgetMs, sliceMs, only }: SizeTerms,
  request: SweepRequest,
  tools: SweepTools,
): Promise<SampledPayload> {
  const chosen = strategies.filter(({ strategy }) => only?.includes(strategy) ?? true);
  const variants = [ORIGINAL, ...chosen.map(({ variant }) => variant)];
  const plan = { budgetMs, sliceMs, variants, seed: request.seed };
  return sample({ recipe, runtime, channel, plan }, request, tools);
}

export type SizedPayload = Pick<SweepPoint, 'payload' | 'unit' | 'size'>;

/** One point for each strategy of the run. */
export function pointsOf(
  { payload, unit, size }: SizedPayload,
  run: SweepRun,
  sampled: SampledPayload,
  seed: number,
): SweepPoint[] {
  const variants = [{ strategy: RAW, variant: ORIGINAL }, ...run.variants];
  return variants.map((variant) => pointOf({ payload, unit, size }, run, variant, sampled, seed));
}

function pointOf(
  payload: SizedPayload,
  { runtime: { name, version }, channel, variants }: SweepRun,
  { strategy, variant: { id } }: StrategyVariant,
  { results, error }: SampledPayload,
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
