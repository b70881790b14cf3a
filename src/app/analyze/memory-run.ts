import {
  type FlightFacts,
  flightMs,
  messagesInFlight,
  type Weights,
  worthWeighing,
} from '../../core/measure/memory.ts';
import { remedyKey } from '../../core/stats/turns.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { Trial } from '../../model/report.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import type { MemoryUse, Variant } from '../../model/wire.ts';
import { runError } from '../payloads.ts';
import type { GuestTerms, SampleTools } from '../sample.ts';

export interface Weighing {
  recipe: Recipe;
  runtime: FoundRuntime;
  channel: Channel;
  facts: FlightFacts;
  trials: readonly Trial[];
  budgetMs: number;
}

const MOST_PROCESSES = 3;
/** Start, build and end of a process, before one was seen, ms. */
const USUAL_PROCESS_MS = 250;
/** The original and the best remedy may take so much more than the budget: one figure of each is better than none. */
const OVERDRAFT = 2;
const OVERDRAWN_PROCESSES = 2;

const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };

const variantOf = ({ remedy, plan }: Trial): Variant => ({
  id: remedy,
  remedy,
  plan,
  mode: 'with-conversion',
});

/**
 * A process of its own for each, the original and the remedies in turns, several each as far as the budget goes. What
 * cannot be weighed is warned about and left out.
 */
export async function weighMemory(
  weighing: Weighing,
  terms: GuestTerms,
  tools: SampleTools,
): Promise<Weights> {
  const original: MemoryUse[] = [];
  const byRemedy = new Map<string, MemoryUse[]>();
  const variants = [
    { variant: ORIGINAL, got: original },
    ...worthWeighing(weighing.trials).map((trial) => {
      const got: MemoryUse[] = [];
      byRemedy.set(remedyKey(trial), got);
      return { variant: variantOf(trial), got };
    }),
  ];
  await takeTurns(variants, weighing, terms, tools);
  return { original, byRemedy };
}

interface MemoryVariant {
  variant: Variant;
  got: MemoryUse[];
}

async function takeTurns(
  variants: readonly MemoryVariant[],
  weighing: Weighing,
  terms: GuestTerms,
  tools: SampleTools,
): Promise<void> {
  const { facts, budgetMs } = weighing;
  const messages = messagesInFlight(facts);
  const began = tools.now();
  let costMs = USUAL_PROCESS_MS + flightMs(messages, facts.tripMs);
  let done = 0;
  let left = Array.from({ length: MOST_PROCESSES }, () => variants).flat();
  for (let [next] = left; next !== undefined && !terms.signal?.aborted; [next] = left) {
    const variant = next;
    const start = tools.now();
    const roomMs = done < OVERDRAWN_PROCESSES ? OVERDRAFT * budgetMs : budgetMs;
    if (start - began + costMs > roomMs) return;
    try {
      variant.got.push(await weighOnce(variant.variant, messages, weighing, terms, tools));
      left = left.slice(1);
    } catch (error) {
      warn(variant.variant, error, weighing, tools);
      left = left.filter((other) => other !== variant);
    }
    costMs = tools.now() - start;
    done += 1;
  }
}

/** One process: what so many messages of this variant take there. Throws what the guest answers with. */
export async function weighOnce(
  variant: Variant,
  messages: number,
  { recipe, runtime, channel, facts }: Omit<Weighing, 'trials' | 'budgetMs'>,
  { timeoutMs, cwd, signal }: GuestTerms,
  tools: SampleTools,
): Promise<MemoryUse> {
  tools.emit({
    type: 'step',
    payload: recipe.id,
    runtime: runtime.spec,
    channel,
    step: 'memory',
    done: 0,
    of: 1,
  });
  const guest = await tools.driver.start(runtime, { timeoutMs, cwd, signal });
  try {
    const deadlineMs = flightMs(messages, facts.tripMs) + timeoutMs;
    return await guest.ask({ type: 'memory', recipe, channel, variant, messages }, { deadlineMs });
  } finally {
    await guest.close();
  }
}

function warn({ id }: Variant, error: unknown, { recipe, runtime }: Weighing, tools: SampleTools): void {
  const text = `${recipe.id} on ${runtime.spec}: memory of ${id} is not known: ${runError(error).message}`;
  tools.emit({ type: 'warning', text });
}
