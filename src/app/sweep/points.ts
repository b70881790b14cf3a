import type { Account } from '../../core/account.ts';
import { toPeakMemory } from '../../core/measure/memory.ts';
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
import { isMemorySeen } from '../../model/run/runtime.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import { Job, type JobTerms } from '../job/job.ts';
import { weigh } from '../job/memory.ts';
import { runError } from '../job/payloads.ts';
import type { SizedRecipe } from './series.ts';
import type { StrategyVariant } from './strategies.ts';

interface Sized extends SizedRecipe, Pick<SweepPoint, 'payload' | 'unit'> {
  isLargest: boolean;
}

export class SizedJob extends Job {
  readonly sized: Sized;
  /** Strategies, the same for all sizes. */
  readonly strategies: readonly StrategyVariant[];
  /** Points of this size: the original, then each strategy. */
  points: SweepPoint[] = [];

  constructor(place: Omit<JobTerms, 'recipe'>, sized: Sized, strategies: readonly StrategyVariant[]) {
    super({ ...place, recipe: sized.recipe });
    this.sized = sized;
    this.strategies = strategies;
  }
}

/** Points of the sweep, computed from the samples of a job. */
export function pointsOf(job: SizedJob): SweepPoint[] {
  const { channel, strategies, runtime, terms, sampled } = job;
  const { payload, unit, size } = job.sized;
  const { results } = sampled;
  const { seed } = terms;
  return [{ strategy: RAW, variant: ORIGINAL }, ...strategies].map(({ strategy, variant: { id } }) => {
    const timeOf = (part: TimedPart) => medianInterval(findSamples(results, id, part), seed);
    const roundTrip = timeOf('roundTrip');
    const isCompared = strategy !== RAW && roundTrip !== null;
    return {
      runtime: { name: runtime.name, version: runtime.version },
      ...{ channel, payload, unit, size, strategy },
      ...{ roundTrip, send: timeOf('send'), receive: timeOf('receive') },
      ratio: isCompared ? ratioToOriginal(results, ORIGINAL.id, id, seed, strategies.length) : null,
      peakMemory: null,
      published: null,
      error: roundTrip === null ? whyUntimed(job, id) : null,
    };
  });
}

function whyUntimed({ sampled: { results, error } }: Job, id: string): RunError {
  const said = findError(results, id);
  if (said !== null) return { code: 'measure-failed', message: said };
  return runError(error ?? new ToolError('measure-failed', { detail: 'no time was left' }));
}

/**
 * Measures the memory of messages in flight while time is left. `raw` is measured at each size, and the others only at
 * the largest, which matters most.
 */
export async function addMemoryUse(job: SizedJob, room: Account): Promise<void> {
  // A local channel leaves nothing in flight.
  if (isLocal(job.channel) || !isMemorySeen(job.runtime)) return;
  const { bytes, isLargest } = job.sized;
  const weighed = [{ strategy: RAW, variant: ORIGINAL }, ...(isLargest ? job.strategies : [])].flatMap(
    ({ strategy, variant }) => {
      const point = job.points.find((one) => one.strategy === strategy);
      return point?.roundTrip ? [{ point, variant, bytes, tripMs: point.roundTrip.median / 1e6 }] : [];
    },
  );
  const { leftMs } = room;
  const uses = await weigh(job, {
    variants: weighed,
    processes: 1,
    // The memory of the largest payload is worth more than the budget.
    roomMs: (done) => (isLargest && done === 0 ? Number.POSITIVE_INFINITY : leftMs),
  });
  for (const { point, variant } of weighed) {
    const [use] = uses.get(variant) ?? [];
    if (use) point.peakMemory = toPeakMemory(use);
  }
}
