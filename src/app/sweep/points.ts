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
import type { Machine, RunError } from '../../model/documents/report.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import { isLocal } from '../../model/names.ts';
import { isMemorySeen } from '../../model/run/runtime.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import type { Variant } from '../../model/wire/wire.ts';
import type { Job } from '../job/job.ts';
import { measureMemoryOnce, warnOfMemory } from '../job/memory.ts';
import { runError } from '../job/payloads.ts';
import type { StrategyVariant } from './strategies.ts';

type SizedPayload = Pick<SweepPoint, 'payload' | 'unit' | 'size'>;

/** One point for the original and each strategy. */
export const pointsOf = (
  job: Job,
  { payload, unit, size }: SizedPayload,
  strategies: readonly StrategyVariant[],
): SweepPoint[] =>
  [{ strategy: RAW, variant: ORIGINAL }, ...strategies].map(({ strategy, variant: { id } }): SweepPoint => {
    const { results } = job.sampled;
    const { name, version } = job.runtime;
    const { seed } = job.terms;
    const timeOf = (part: TimedPart) => medianInterval(findSamples(results, id, part), seed);
    const roundTrip = timeOf('roundTrip');
    const isCompared = strategy !== RAW && roundTrip !== null;
    return {
      ...{ runtime: { name, version }, channel: job.channel, payload, unit, size, strategy },
      ...{ roundTrip, send: timeOf('send'), receive: timeOf('receive') },
      ratio: isCompared ? ratioToOriginal(results, ORIGINAL.id, id, seed, strategies.length) : null,
      peakMemory: null,
      published: null,
      error: roundTrip === null ? whyUntimed(job, id) : null,
    };
  });

function whyUntimed({ sampled: { results, error } }: Job, id: string): RunError {
  const said = findError(results, id);
  if (said !== null) return { code: 'measure-failed', message: said };
  return runError(error ?? new ToolError('measure-failed', { detail: 'no time was left' }));
}

/** Duration of one memory process, ms. */
const PROCESS_MS = 350;

/**
 * The points of one size with the memory of their messages in flight, in processes of their own, as far as there is
 * room. `raw` alone is measured at each size, the others at the largest, where it matters most.
 */
export async function withMemoryUse(
  { job, points }: { job: Job; points: readonly SweepPoint[] },
  { bytes, isLargest }: { bytes: number; isLargest: boolean },
  terms: { machine: Machine; room: Account; strategies: readonly StrategyVariant[] },
): Promise<SweepPoint[]> {
  // Such a channel leaves nothing in flight.
  if (isLocal(job.channel) || !isMemorySeen(job.runtime)) return [...points];
  const rewrites = isLargest ? terms.strategies : [];
  const variants = new Map<string, Variant>([
    [RAW, ORIGINAL],
    ...rewrites.map(({ strategy, variant }) => [strategy, variant] as const),
  ]);
  const measured: SweepPoint[] = [];
  for (const point of points) {
    const variant = variants.get(point.strategy);
    // The memory of the largest payload is worth more than the budget.
    const isOwed = isLargest && point.strategy === RAW;
    const hasRoom = isOwed || PROCESS_MS <= terms.room.leftMs;
    if (!variant || point.roundTrip === null || !hasRoom || job.slot.isStopped) {
      measured.push(point);
      continue;
    }
    const facts = {
      bytes,
      tripMs: point.roundTrip.median / 1e6,
      machineBytes: terms.machine.memoryBytes,
    };
    measured.push({ ...point, peakMemory: await peakMemoryOf(job, variant, facts) });
  }
  return measured;
}

async function peakMemoryOf(
  job: Job,
  variant: Variant,
  facts: Parameters<typeof measureMemoryOnce>[2],
): Promise<SweepPoint['peakMemory']> {
  try {
    return toPeakMemory(await measureMemoryOnce(job, variant, facts));
  } catch (error) {
    if (!job.slot.isStopped) warnOfMemory(job, variant, error);
    return null;
  }
}
