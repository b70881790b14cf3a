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
import { askFreshGuest } from '../guest-slot.ts';
import { runError } from '../payloads.ts';
import { emitStep, type GuestTerms, type MeasureTools, type RunTarget } from '../tools.ts';

interface MemoryPlan extends RunTarget {
  facts: FlightFacts;
  trials: readonly Trial[];
  budgetMs: number;
}

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
  plan: MemoryPlan,
  terms: GuestTerms,
  tools: MeasureTools,
): Promise<MemoryByVariant> {
  const original: MemoryUse[] = [];
  const byRemedy = new Map<string, MemoryUse[]>();
  const variants: { variant: Variant; got: MemoryUse[] }[] = [{ variant: ORIGINAL, got: original }];
  for (const trial of worthMeasuringMemory(plan.trials)) {
    const { remedy, plan: applied } = trial;
    const got: MemoryUse[] = [];
    byRemedy.set(remedyKey(trial), got);
    variants.push({ variant: { id: remedy, remedy, plan: applied, mode: 'with-conversion' }, got });
  }
  const { facts, budgetMs } = plan;
  const messages = messagesInFlight(facts);
  const began = tools.now();
  let costMs = USUAL_PROCESS_MS + flightMs(messages, facts.tripMs);
  let done = 0;
  const processes = variants.length > 1 ? MAX_PROCESSES : 1;
  let left = Array.from({ length: processes }, () => variants).flat();
  for (let [next] = left; next !== undefined && !terms.signal?.aborted; [next] = left) {
    const variant = next;
    const start = tools.now();
    const roomMs = done < OVERDRAWN_PROCESSES ? OVERDRAFT * budgetMs : budgetMs;
    if (start - began + costMs > roomMs) break;
    try {
      variant.got.push(await measureMemoryOnce(variant.variant, messages, plan, terms, tools));
      left = left.slice(1);
    } catch (error) {
      warnOfMemory(variant.variant, error, plan, tools);
      left = left.filter((other) => other !== variant);
    }
    costMs = tools.now() - start;
    done += 1;
  }
  return { original, byRemedy };
}

/** Memory that so many messages of this variant take, in one process. @throws what the guest answers with */
export function measureMemoryOnce(
  variant: Variant,
  messages: number,
  { recipe, runtime, channel, facts }: Omit<MemoryPlan, 'trials' | 'budgetMs'>,
  terms: GuestTerms,
  tools: MeasureTools,
): Promise<MemoryUse> {
  emitStep(tools, { recipe, runtime, channel }, 'memory');
  const deadlineMs = flightMs(messages, facts.tripMs) + terms.timeoutMs;
  const asked = { type: 'memory', recipe, channel, variant, messages } as const;
  return askFreshGuest(asked, runtime, deadlineMs, terms, tools);
}

export function warnOfMemory(
  { id }: Variant,
  error: unknown,
  { recipe, runtime }: Pick<RunTarget, 'recipe' | 'runtime'>,
  { emit }: Pick<MeasureTools, 'emit'>,
): void {
  const text = `${recipe.id} on ${runtime.spec}: memory of ${id} is not known: ${runError(error).message}`;
  emit({ type: 'warning', text });
}
