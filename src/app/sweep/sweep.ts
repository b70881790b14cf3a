import { nextShare } from '../../core/measure/total-budget.ts';
import { findCrossovers, strategyResults } from '../../core/sweep/crossovers.ts';
import { SWEEP_SCHEMA } from '../../model/document-ids.ts';
import type { LeftOut, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { usualChannel } from '../../model/names.ts';
import { GuestSlot } from '../guest-slot.ts';
import { withPublished } from './presets.ts';
import { payloadSeries, presetSeries, type SweepRequest, type SweepTools, type Swept } from './series.ts';
import { presetStrategies, provenStrategies, type Strategies, type SweepTarget } from './strategies.ts';
import { runSweep } from './sweep-run.ts';

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
