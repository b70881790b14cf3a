import {
  type FlightFacts,
  flightMs,
  type MemoryByVariant,
  messagesInFlight,
  worthMeasuringMemory,
} from '../../core/measure/memory.ts';
import { ORIGINAL, remedyKey } from '../../core/stats/variant-samples.ts';
import type { Trial } from '../../model/documents/trial.ts';
import type { MemoryUse, Variant } from '../../model/wire/wire.ts';
import type { Job } from './job.ts';
import { runError } from './payloads.ts';

/** Processes for the memory of variants that are compared; a figure that is compared with nothing is taken once. */
const MAX_PROCESSES = 2;
/** Duration of a process, assumed until one was measured, ms. */
const USUAL_PROCESS_MS = 250;
/** The original and the best remedy may exceed the budget by this factor: one figure of each is better than none. */
const OVERDRAFT = 2;
const OVERDRAWN_PROCESSES = 2;

/**
 * Memory of the original and the remedies, interleaved, each in a process of its own, several times as far as the budget
 * goes. A variant that fails is left out with a warning.
 */
export async function measureMemory(
  job: Job,
  facts: FlightFacts,
  trials: readonly Trial[],
  budgetMs: number,
): Promise<MemoryByVariant> {
  const { tools } = job;
  const original: MemoryUse[] = [];
  const byRemedy = new Map<string, MemoryUse[]>();
  const variants: { variant: Variant; got: MemoryUse[] }[] = [{ variant: ORIGINAL, got: original }];
  for (const trial of worthMeasuringMemory(trials)) {
    const { remedy, plan } = trial;
    const got: MemoryUse[] = [];
    byRemedy.set(remedyKey(trial), got);
    variants.push({ variant: { id: remedy, remedy, plan, mode: 'with-conversion' }, got });
  }
  const began = tools.now();
  let costMs = USUAL_PROCESS_MS + flightMs(messagesInFlight(facts), facts.tripMs);
  let done = 0;
  const processes = variants.length > 1 ? MAX_PROCESSES : 1;
  let left = Array.from({ length: processes }, () => variants).flat();
  for (let [next] = left; next !== undefined && !job.slot.isStopped; [next] = left) {
    const variant = next;
    const start = tools.now();
    const roomMs = done < OVERDRAWN_PROCESSES ? OVERDRAFT * budgetMs : budgetMs;
    if (start - began + costMs > roomMs) break;
    try {
      variant.got.push(await measureMemoryOnce(job, variant.variant, facts));
      left = left.slice(1);
    } catch (error) {
      warnOfMemory(job, variant.variant, error);
      left = left.filter((other) => other !== variant);
    }
    costMs = tools.now() - start;
    done += 1;
  }
  return { original, byRemedy };
}

/** Memory of messages of this variant in flight, in one process. @throws what the guest answers with */
export function measureMemoryOnce(job: Job, variant: Variant, facts: FlightFacts): Promise<MemoryUse> {
  job.step('memory');
  const { recipe, channel } = job;
  const messages = messagesInFlight(facts);
  const asked = { type: 'memory', recipe, channel, variant, messages } as const;
  return job.askFresh(asked, flightMs(messages, facts.tripMs));
}

export function warnOfMemory({ name, tools }: Job, { id }: Variant, error: unknown): void {
  tools.emit({ type: 'warning', text: `${name}: memory of ${id} is not known: ${runError(error).message}` });
}
