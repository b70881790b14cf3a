import { messagesInFlight, peakOf } from '../../core/measure/memory.ts';
import { RAW } from '../../core/sweep/summary.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { SweepPoint } from '../../model/sweep.ts';
import { weighOnce } from '../analyze/memory-run.ts';
import { runError } from '../payloads.ts';
import type { Course } from './curve.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import { type Entrant, ORIGINAL } from './strategies.ts';

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
  course: Course,
  { recipe, bytes, largest }: Load,
  roomMs: number,
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint[]> {
  // One call leaves nothing in flight.
  if (course.channel === 'structured-clone') return [...points];
  const began = tools.now();
  const contestants = new Map<string, Entrant['contestant']>([
    [RAW, ORIGINAL],
    ...(largest ? course.entrants.map(({ strategy, contestant }) => [strategy, contestant] as const) : []),
  ]);
  const heavier: SweepPoint[] = [];
  for (const point of points) {
    const contestant = contestants.get(point.strategy);
    // What the largest payload takes is what people ask: worth more than the budget.
    const owed = largest && point.strategy === RAW;
    const over = !owed && tools.now() - began + PROCESS_MS > roomMs;
    const skip = !contestant || point.roundTrip === null || over || request.signal?.aborted;
    heavier.push(skip ? point : { ...point, peakMemory: await peak(point, contestant) });
  }
  return heavier;

  async function peak({ roundTrip }: SweepPoint, contestant: Entrant['contestant']) {
    const tripMs = (roundTrip?.median ?? 0) / 1e6;
    const facts = { bytes, tripMs, machineBytes: tools.machine.memoryBytes };
    const messages = messagesInFlight(facts);
    const { runtime, channel } = course;
    try {
      return peakOf(
        await weighOnce(contestant, messages, { recipe, runtime, channel, facts }, request, tools),
      );
    } catch (error) {
      const text = `${recipe.id} on ${runtime.spec}: memory of ${contestant.id} is not known: ${runError(error).message}`;
      if (!request.signal?.aborted) tools.emit({ type: 'warning', text });
      return null;
    }
  }
}
