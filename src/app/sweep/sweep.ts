import { nextShare } from '../../core/measure/total-budget.ts';
import { crossoversOf, strategyResults } from '../../core/sweep/crossovers.ts';
import { SWEEP_SCHEMA } from '../../model/document-ids.ts';
import type { LeftOut, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import type { Channel } from '../../model/names.ts';
import { GuestSlot } from '../guest-slot.ts';
import { withPublished } from './published.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import { payloadSeries, presetSeries, type Swept } from './series.ts';
import { presetStrategies, provenStrategies, type Strategies } from './strategies.ts';
import { runSweep } from './sweep-run.ts';

/**
 * Cost against size: a payload in all sizes -> strategies proven at one -> measured at each -> crossovers.
 *
 * @throws ToolError when the payload has no part that can be scaled
 */
export async function sweep(request: SweepRequest, tools: SweepTools): Promise<SweepReport> {
  const swept = await whatToSweep(request, tools);
  const { runtimes } = request;
  tools.emit({
    type: 'started',
    payloads: swept.series.length,
    runtimes: runtimes.map(({ spec }) => spec),
    runs: runtimes.length * channelsOf(request).length,
    runMs: request.budgetMs,
    totalMs: request.totalMs ?? null,
  });
  let start: number | null = null;
  let runs = runtimes.length * channelsOf(request).length;
  const measured: SweepPoint[] = [];
  const leftOut: LeftOut[] = [];
  for (const runtime of runtimes) {
    for (const channel of channelsOf(request)) {
      if (request.signal?.aborted) break;
      const began = tools.now();
      start ??= began;
      const slot = new GuestSlot(tools.driver, runtime, request);
      const strategies = await strategiesFor(slot, channel, swept, request, tools);
      leftOut.push(...strategies.leftOut);
      const run = { runtime, channel, variants: strategies.variants };
      const budgetMs = nextBudget(request, began - start, runs) - (tools.now() - began);
      runs -= 1;
      measured.push(...(await runSweep(run, swept.series, budgetMs, request, tools)));
    }
  }
  return reportOf(swept, measured, leftOut, request, tools);
}

/** What the next runtime and channel gets; 0 when nothing is left. */
function nextBudget({ totalMs, budgetMs }: SweepRequest, spentMs: number, runs: number): number {
  if (totalMs == null) return budgetMs;
  return nextShare({ leftMs: totalMs - spentMs, runs, overheadMs: 0, mostMs: budgetMs }) ?? 0;
}

const channelsOf = ({ channels, subject }: SweepRequest): Channel[] =>
  channels ?? [subject.kind === 'preset' ? subject.preset.channel : 'worker'];

async function whatToSweep(request: SweepRequest, tools: SweepTools): Promise<Swept> {
  const { subject, runtimes } = request;
  if (subject.kind === 'preset') return presetSeries(subject.preset);
  const [first] = runtimes;
  if (!first) return { title: '', dimension: null, series: [] };
  const slot = new GuestSlot(tools.driver, first, request);
  try {
    const swept = await payloadSeries(subject, slot, request, tools);
    const { dimension, series } = swept;
    const sizes = series[0]?.recipes.map(({ size }) => size) ?? [];
    if (dimension) tools.emit({ type: 'note', text: scalingNote(swept.title, dimension, sizes) });
    return swept;
  } finally {
    await slot.close();
  }
}

function scalingNote(
  id: string,
  { by, path, size }: NonNullable<Swept['dimension']>,
  sizes: readonly number[],
): string {
  const steps = `${sizes.length} sizes from ${sizes[0]} to ${sizes.at(-1)}`;
  return `${id}: scaling the ${size} ${by} of ${path}, ${steps}. Scale another part: --by items, chars, bytes or keys`;
}

const MAX_PROVEN_BYTES = 1e6;

async function strategiesFor(
  slot: GuestSlot,
  channel: Channel,
  { series }: Swept,
  request: SweepRequest,
  tools: SweepTools,
): Promise<Strategies> {
  if (request.subject.kind === 'preset') return presetStrategies(request.subject.preset);
  const recipes = series[0]?.recipes ?? [];
  // What is equal at one size is equal at all; a proof at tens of megabytes takes longer than measuring.
  const proven = recipes.findLast(({ bytes }) => bytes <= MAX_PROVEN_BYTES) ?? recipes[0];
  if (!proven) return { variants: [], leftOut: [] };
  try {
    return await provenStrategies(proven.recipe, slot, channel, request, tools);
  } finally {
    await slot.close();
  }
}

function reportOf(
  { title, dimension }: Swept,
  measured: readonly SweepPoint[],
  leftOut: LeftOut[],
  { seed, subject, signal }: SweepRequest,
  { version, machine }: SweepTools,
): SweepReport {
  const preset = subject.kind === 'preset' ? subject.preset : null;
  return {
    schema: SWEEP_SCHEMA,
    tool: { version },
    machine,
    seed,
    preset: preset?.name ?? null,
    title,
    dimension,
    points: preset ? withPublished(measured, preset) : [...measured],
    crossovers: crossoversOf(measured, seed),
    standings: strategyResults(measured),
    folklore: preset?.folklore ?? null,
    leftOut,
    interrupted: signal?.aborted ?? false,
  };
}
