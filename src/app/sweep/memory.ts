import { messagesInFlight, peakOf } from '../../core/measure/memory.ts';
import { ORIGINAL } from '../../core/stats/variant-samples.ts';
import { RAW } from '../../core/sweep/crossovers.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import { isMemorySeen } from '../../model/run/runtime.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { measureMemoryOnce } from '../analyze/memory-run.ts';
import { runError } from '../payloads.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import type { SizedRecipe } from './series.ts';
import type { SweepRun } from './strategies.ts';

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
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint[]> {
  // One call of structuredClone leaves nothing in flight.
  if (run.channel === 'structured-clone') return [...points];
  if (!isMemorySeen(run.runtime)) return [...points];
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
    const peakMemory = isSkipped ? null : await peakMemoryOf(point, variant, run, sized, request, tools);
    measured.push(isSkipped ? point : { ...point, peakMemory });
  }
  return measured;
}

async function peakMemoryOf(
  { roundTrip }: SweepPoint,
  variant: Variant,
  { runtime, channel }: SweepRun,
  { recipe, bytes }: SizedRecipe,
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint['peakMemory']> {
  const tripMs = (roundTrip?.median ?? 0) / 1e6;
  const facts = { bytes, tripMs, machineBytes: tools.machine.memoryBytes };
  const target = { recipe, runtime, channel, facts };
  try {
    return peakOf(await measureMemoryOnce(variant, messagesInFlight(facts), target, request, tools));
  } catch (error) {
    const text = `${recipe.id} on ${runtime.spec}: memory of ${variant.id} is not known: ${runError(error).message}`;
    if (!request.signal?.aborted) tools.emit({ type: 'warning', text });
    return null;
  }
}
