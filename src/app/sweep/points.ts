import type { Account } from '../../core/account.ts';
import { type FlightFacts, toPeakMemory } from '../../core/measure/memory.ts';
import { medianInterval } from '../../core/stats/intervals.ts';
import {
  findError,
  findSamples,
  ORIGINAL,
  ratioToOriginal,
  type TimedPart,
} from '../../core/stats/variant-samples.ts';
import type { Machine, RunError } from '../../model/documents/report.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import { isLocal } from '../../model/names.ts';
import { isMemorySeen } from '../../model/run/runtime.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { Job, type JobTerms } from '../job/job.ts';
import { measureMemoryOnce, warnOfMemory } from '../job/memory.ts';
import { runError } from '../job/payloads.ts';
import type { SizedRecipe } from './series.ts';
import type { StrategyVariant } from './strategies.ts';

interface Sized extends SizedRecipe, Pick<SweepPoint, 'payload' | 'unit'> {
  isLargest: boolean;
}

/** A payload in one size. */
export class SizedJob extends Job {
  readonly sized: Sized;
  /** Those of all sizes. */
  readonly strategies: readonly StrategyVariant[];
  /** One for the original and each strategy. */
  points: SweepPoint[] = [];

  constructor(place: Omit<JobTerms, 'recipe'>, sized: Sized, strategies: readonly StrategyVariant[]) {
    super({ ...place, recipe: sized.recipe });
    this.sized = sized;
    this.strategies = strategies;
  }
}

/** What its samples say. */
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

/** Duration of one memory process, ms. */
const PROCESS_MS = 350;

/**
 * The memory of messages in flight, in processes of their own, as far as there is room. `raw` alone is measured at each
 * size, the others at the largest, where it matters most.
 */
export async function addMemoryUse(job: SizedJob, machine: Machine, room: Account): Promise<void> {
  // Such a channel leaves nothing in flight.
  if (isLocal(job.channel) || !isMemorySeen(job.runtime)) return;
  const { sized, strategies } = job;
  const { bytes, isLargest } = sized;
  for (const point of job.points) {
    const isRaw = point.strategy === RAW;
    // The memory of the largest payload is worth more than the budget.
    const hasRoom = (isRaw && isLargest) || PROCESS_MS <= room.leftMs;
    const variant = isRaw
      ? ORIGINAL
      : strategies.find(({ strategy }) => isLargest && strategy === point.strategy)?.variant;
    if (!variant || point.roundTrip === null || !hasRoom || job.slot.isStopped) continue;
    const tripMs = point.roundTrip.median / 1e6;
    point.peakMemory = await peakMemoryOf(job, variant, { bytes, tripMs, machineBytes: machine.memoryBytes });
  }
}

async function peakMemoryOf(
  job: Job,
  variant: Variant,
  facts: FlightFacts,
): Promise<SweepPoint['peakMemory']> {
  try {
    return toPeakMemory(await measureMemoryOnce(job, variant, facts));
  } catch (error) {
    if (!job.slot.isStopped) warnOfMemory(job, variant, error);
    return null;
  }
}
