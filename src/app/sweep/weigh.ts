import { messagesInFlight, peakOf } from '../../core/measure/memory.ts';
import { RAW } from '../../core/sweep/summary.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { SweepPoint } from '../../model/sweep.ts';
import { weighOnce } from '../analyze/memory-run.ts';
import { runError } from '../payloads.ts';
import type { SweepRun } from './curve.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import { ORIGINAL, type StrategyVariant } from './strategies.ts';

/** A process that fills and empties its memory once, ms. */
const PROCESS_MS = 350;

export interface Load {
  recipe: Recipe;
  /** About how many bytes one message is. */
  bytes: number;
  /** `raw` alone is weighed at each size, the others where it matters most. */
  largest: boolean;
}

/** The points with the memory of their messages in flight, in processes of their own, as far as `roomMs` goes. */
export async function weighed(
  points: readonly SweepPoint[],
  course: SweepRun,
  { recipe, bytes, largest }: Load,
  roomMs: number,
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint[]> {
  // One call leaves nothing in flight.
  if (course.channel === 'structured-clone') return [...points];
  const began = tools.now();
  const variants = new Map<string, StrategyVariant['variant']>([
    [RAW, ORIGINAL],
    ...(largest ? course.variants.map(({ strategy, variant }) => [strategy, variant] as const) : []),
  ]);
  const heavier: SweepPoint[] = [];
  for (const point of points) {
    const variant = variants.get(point.strategy);
    // What the largest payload takes is what people ask: worth more than the budget.
    const owed = largest && point.strategy === RAW;
    const over = !owed && tools.now() - began + PROCESS_MS > roomMs;
    const skip = !variant || point.roundTrip === null || over || request.signal?.aborted;
    heavier.push(skip ? point : { ...point, peakMemory: await peak(point, variant) });
  }
  return heavier;

  async function peak({ roundTrip }: SweepPoint, variant: StrategyVariant['variant']) {
    const tripMs = (roundTrip?.median ?? 0) / 1e6;
    const facts = { bytes, tripMs, machineBytes: tools.machine.memoryBytes };
    const messages = messagesInFlight(facts);
    const { runtime, channel } = course;
    try {
      return peakOf(await weighOnce(variant, messages, { recipe, runtime, channel, facts }, request, tools));
    } catch (error) {
      const text = `${recipe.id} on ${runtime.spec}: memory of ${variant.id} is not known: ${runError(error).message}`;
      if (!request.signal?.aborted) tools.emit({ type: 'warning', text });
      return null;
    }
  }
}
