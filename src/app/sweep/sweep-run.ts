import { messagesInFlight, toPeakMemory } from '../../core/measure/memory.ts';
import { nextShare } from '../../core/measure/total-budget.ts';
import { medianInterval } from '../../core/stats/intervals.ts';
import {
  findError,
  findSamples,
  ORIGINAL,
  ratioToOriginal,
  type TimedPart,
} from '../../core/stats/variant-samples.ts';
import {
  estimateCost,
  refinedShare,
  type SizeCost,
  type SizeFacts,
  shareToSpend,
} from '../../core/sweep/budget.ts';
import { findCrossovers, strategyResults } from '../../core/sweep/crossovers.ts';
import { nextSize } from '../../core/sweep/refine.ts';
import { SWEEP_SCHEMA } from '../../model/document-ids.ts';
import type { RunError } from '../../model/documents/report.ts';
import type { LeftOut, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import { isLocal, usualChannel } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { isMemorySeen } from '../../model/run/runtime.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import type { Measured, Variant } from '../../model/wire/wire.ts';
import { measureMemoryOnce, warnOfMemory } from '../analyze/memory-run.ts';
import { GuestSlot } from '../guest-slot.ts';
import { runError } from '../payloads.ts';
import { NOT_SAMPLED, type SampledPayload, sample } from '../sample.ts';
import { withPublished } from './presets.ts';
import {
  payloadSeries,
  presetSeries,
  type SizedRecipe,
  type SizedSeries,
  type SweepRequest,
  type SweepTools,
  type Swept,
} from './series.ts';
import {
  presetStrategies,
  provenStrategies,
  type Strategies,
  type StrategyVariant,
  type SweepRun,
  type SweepTarget,
} from './strategies.ts';

/** Share of the budget for timing one size; the rest is for measuring the memory. */
const TIME_SHARE = 0.85;

/**
 * Every size of every series on one runtime over one channel, the smallest first, within `budgetMs`: each gets a share by
 * what it is expected to cost, and what was not used goes to those that come later: sizes near the crossovers, where
 * sizes may be chosen. A size for which too little is left is not measured, and its points say so. Ends early when
 * interrupted; what was measured is kept.
 */
async function runSweep(
  run: SweepRun,
  series: readonly SizedSeries[],
  budgetMs: number,
): Promise<SweepPoint[]> {
  const { request, tools } = run;
  const began = tools.now();
  const sizes = series.flatMap(({ id: payload, unit, recipes }) =>
    recipes.map((sized) => ({ ...sized, payload, unit, isLargest: sized === recipes.at(-1) })),
  );
  const points: SweepPoint[] = [];
  const costs = new SizeCosts(run.variants.length + 1);
  const refined = run.variants.length > 0 && series.some(({ inSize }) => inSize !== null);
  let overdrawnMs = 0;
  for (const [at, sized] of sizes.entries()) {
    if (request.signal?.aborted) break;
    const start = tools.now();
    const others = sizes.slice(at + 1).map((one) => costs.of(one));
    // Those to come will overdraw their shares as those before did, on a busy machine.
    const leftMs = budgetMs - (start - began) - (overdrawnMs / Math.max(1, at)) * others.length;
    const cost = costs.of(sized);
    const shareMs = shareToSpend([cost, ...others], leftMs, { refined, budgetMs });
    const sampled =
      shareMs === null
        ? overBudget(cost.messagesMs, leftMs)
        : await sampleSize(run, sized.recipe, { ...cost, budgetMs: shareMs * TIME_SHARE });
    if (sampled.results.length === 0 && request.signal?.aborted) break;
    const timed = pointsOf(sized, run, sampled);
    costs.learn(sized, timed);
    // The memory of the largest payload comes before further sizes.
    const untilMs = refined && sized.isLargest ? began + budgetMs : start + (shareMs ?? 0);
    const roomMs = untilMs - tools.now();
    points.push(...(await withMemoryUse(timed, run, sized, roomMs)));
    overdrawnMs += Math.max(0, tools.now() - start - (shareMs ?? 0));
  }
  for (const one of series) {
    const coarse = points.filter(({ payload }) => payload === one.id);
    const leftMs = budgetMs - (tools.now() - began);
    points.push(...(await refine(run, one, coarse, costs, leftMs)));
  }
  return series.flatMap(({ id }) =>
    points.filter(({ payload }) => payload === id).sort((a, b) => a.size - b.size),
  );
}

const seconds = (ms: number): string => `${Math.max(0, ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

function overBudget(needMs: number, leftMs: number): SampledPayload {
  const detail = `it takes about ${seconds(needMs)}, and ${seconds(leftMs)} of the budget are left. Raise --budget, or lower the sizes with --scale`;
  return { ...NOT_SAMPLED, error: new ToolError('measure-failed', { detail }) };
}

/**
 * Points of sizes near the crossovers of one series, until these are known or `budgetMs` is spent. Only the strategies
 * that cross there are timed.
 *
 * @param coarse all points of the series so far
 */
async function refine(
  run: SweepRun,
  { id: payload, unit, grain, inSize }: SizedSeries,
  coarse: readonly SweepPoint[],
  costs: SizeCosts,
  budgetMs: number,
): Promise<SweepPoint[]> {
  const { request, tools } = run;
  const began = tools.now();
  const points: SweepPoint[] = [];
  while (inSize !== null && !request.signal?.aborted) {
    const next = nextSize(coarse, points, { grain, seed: request.seed });
    if (next === null) break;
    const sized = { ...inSize(next.size), payload, unit };
    const cost = costs.of(sized);
    const shareMs = refinedShare(cost, next.left, budgetMs - (tools.now() - began));
    if (shareMs === null) break;
    const terms = { budgetMs: shareMs, sliceMs: cost.sliceMs, only: next.strategies };
    const sampled = await sampleSize(run, sized.recipe, terms);
    if (sampled.results.length === 0 && request.signal?.aborted) break;
    const timed = [RAW, ...next.strategies];
    points.push(...pointsOf(sized, run, sampled).filter(({ strategy }) => timed.includes(strategy)));
  }
  return points;
}

type Sized = Pick<SizedRecipe, 'bytes'> & Pick<SweepPoint, 'payload'>;

/** What the sizes to come cost, as learnt from those before. */
class SizeCosts {
  readonly #strategies: number;
  readonly #timed = new Map<string, SizeFacts['before']>();

  /** `strategies`: how many are timed, raw included. */
  constructor(strategies: number) {
    this.#strategies = strategies;
  }

  of({ bytes, payload }: Sized): SizeCost {
    return estimateCost({ bytes, strategies: this.#strategies, before: this.#timed.get(payload) ?? null });
  }

  /** Keeps the size with the least time a byte: the others had more noise, or fewer bytes to start with. */
  learn({ bytes, payload }: Sized, points: readonly SweepPoint[]): void {
    const roundMs = points.reduce((sum, { roundTrip }) => sum + (roundTrip?.median ?? 0) / 1e6, 0);
    const known = this.#timed.get(payload);
    if (roundMs > 0 && (!known || roundMs * known.bytes <= known.roundMs * bytes))
      this.#timed.set(payload, { bytes, roundMs });
  }
}

/** Messages of one size; in several processes, as far as `budgetMs` goes. `only`: these strategies beside `raw`. */
function sampleSize(
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
const pointsOf = (
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
async function withMemoryUse(
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

/**
 * Cost against size: a payload in all sizes -> strategies proven at one -> measured at each -> crossovers.
 *
 * @throws ToolError when the payload has no part that can be scaled
 */
export async function sweep(request: SweepRequest, tools: SweepTools): Promise<SweepReport> {
  const { subject, runtimes, seed, signal } = request;
  const preset = subject.kind === 'preset' ? subject.preset : null;
  const swept = await whatToSweep(request, tools);
  const { title, dimension } = swept;
  const places = runtimes.flatMap((runtime) =>
    (request.channels ?? [preset?.channel ?? usualChannel(runtime.name)]).map((channel) => ({
      runtime,
      channel,
    })),
  );
  tools.emit({
    type: 'started',
    payloads: swept.series.length,
    runtimes: runtimes.map(({ spec }) => spec),
    runs: places.length,
    runMs: request.budgetMs,
    totalMs: request.totalMs ?? null,
  });
  let start: number | null = null;
  const points: SweepPoint[] = [];
  const leftOut: LeftOut[] = [];
  for (const [at, place] of places.entries()) {
    if (signal?.aborted) break;
    const began = tools.now();
    start ??= began;
    const slot = new GuestSlot(tools, place.runtime, request);
    const strategies = await strategiesFor(swept, { ...place, slot, request, tools });
    leftOut.push(...strategies.leftOut);
    const run = { ...place, variants: strategies.variants, request, tools };
    const budgetMs = nextBudget(request, began - start, places.length - at) - (tools.now() - began);
    points.push(...(await runSweep(run, swept.series, budgetMs)));
  }
  return {
    schema: SWEEP_SCHEMA,
    ...{ tool: { version: tools.version }, machine: tools.machine, seed },
    ...{ preset: preset?.name ?? null, title, dimension },
    points: preset ? withPublished(points, preset) : points,
    crossovers: findCrossovers(points, seed),
    standings: strategyResults(points),
    folklore: preset?.folklore ?? null,
    leftOut,
    interrupted: signal?.aborted ?? false,
  };
}

/** What the next runtime and channel gets; 0 when nothing is left. */
function nextBudget({ totalMs, budgetMs }: SweepRequest, spentMs: number, runs: number): number {
  if (totalMs == null) return budgetMs;
  return nextShare({ leftMs: totalMs - spentMs, runs, overheadMs: 0, mostMs: budgetMs }) ?? 0;
}

async function whatToSweep(request: SweepRequest, tools: SweepTools): Promise<Swept> {
  const { subject, runtimes } = request;
  if (subject.kind === 'preset') return presetSeries(subject.preset);
  const [first] = runtimes;
  if (!first) return { title: '', dimension: null, series: [] };
  const slot = new GuestSlot(tools, first, request);
  try {
    const swept = await payloadSeries(subject, slot, request, tools);
    const sizes = swept.series[0]?.recipes.map(({ size }) => size) ?? [];
    const { by, path, size } = swept.dimension;
    const steps = `${sizes.length} sizes from ${sizes[0]} to ${sizes.at(-1)}`;
    const text = `${swept.title}: scaling the ${size} ${by} of ${path}, ${steps}. Scale another part: --by items, chars, bytes or keys`;
    tools.emit({ type: 'note', text });
    return swept;
  } finally {
    await slot.close();
  }
}

const MAX_PROVEN_BYTES = 1e6;

async function strategiesFor({ series }: Swept, target: SweepTarget): Promise<Strategies> {
  const { slot, request } = target;
  if (request.subject.kind === 'preset') return presetStrategies(request.subject.preset);
  const recipes = series[0]?.recipes ?? [];
  // What is equal at one size is equal at all; a proof at tens of megabytes takes longer than measuring.
  const proven = recipes.findLast(({ bytes }) => bytes <= MAX_PROVEN_BYTES) ?? recipes[0];
  if (!proven) return { variants: [], leftOut: [] };
  try {
    return await provenStrategies(proven.recipe, target);
  } finally {
    await slot.close();
  }
}
