import { gainSoFar, nextStep, type SamplingPlan, type Slice } from '../core/measure/sampling.ts';
import { MAX_LOOKS } from '../core/stats/intervals.ts';
import type { Measured } from '../model/wire/wire.ts';
import { askFreshGuest } from './guest-slot.ts';
import { runError } from './payloads.ts';
import { emitStep, type GuestTerms, type MeasureTools, type RunTarget } from './tools.ts';

interface Sampling extends RunTarget {
  plan: Omit<SamplingPlan, 'startMs'>;
}

export interface SampledPayload {
  results: Measured[];
  /** Ids of the candidates that left the race. */
  dropped: readonly string[];
  /** See `SamplingStep`. */
  looks: number;
  /** Why the last process that failed did; null when none did. */
  error: unknown;
  failures: number;
  /** ms, starts of processes included. */
  spentMs: number;
}

export const NOT_SAMPLED: SampledPayload = {
  results: [],
  dropped: [],
  looks: MAX_LOOKS,
  error: null,
  failures: 0,
  spentMs: 0,
};

/** Duration of a start, assumed until one was measured, ms. */
const USUAL_START_MS = 120;

/**
 * Fresh processes, one after the other, until every open comparison is decided or the budget ends. What was measured
 * before an interruption or a crash is kept.
 *
 * @param earlier sampling of the same plan, which is continued; the budget includes its time
 */
export async function sample(
  sampling: Sampling,
  terms: GuestTerms,
  tools: MeasureTools,
  earlier: SampledPayload = NOT_SAMPLED,
): Promise<SampledPayload> {
  const results = [...earlier.results];
  const began = tools.now() - earlier.spentMs;
  let { failures, error, dropped, spentMs, looks } = earlier;
  let startMs = USUAL_START_MS;
  while (!terms.signal?.aborted) {
    spentMs = tools.now() - began;
    const { budgetMs, extraMs = 0 } = sampling.plan;
    const wholeMs = spentMs < budgetMs ? budgetMs : budgetMs + extraMs;
    const gain = gainSoFar(sampling.plan, results);
    emitStep(tools, sampling, 'measure', Math.min(spentMs, wholeMs), wholeMs, gain);
    const next = nextStep({ ...sampling.plan, startMs }, { results, spentMs, failures, dropped });
    ({ dropped, looks } = next);
    if (next.step === 'done') break;
    try {
      const measured = await oneProcess(sampling, next.slice, terms, tools);
      results.push(measured);
      startMs = Math.max(1, tools.now() - began - spentMs - next.slice.sliceMs - next.slice.warmupMs);
    } catch (thrown) {
      failures += 1;
      error = thrown;
    }
  }
  const sampled = { results, dropped, looks, error, failures, spentMs };
  if (failures > earlier.failures && failures < results.length && !terms.signal?.aborted)
    tools.emit({ type: 'note', text: tellLost(sampling, sampled) });
  return sampled;
}

/** Most were measured, so the run stands: nobody would see that there are fewer. */
function tellLost({ recipe, runtime }: RunTarget, { results, failures, error }: SampledPayload): string {
  const lost = `${failures} of ${results.length + failures} processes were lost while they measured`;
  return `${recipe.id} on ${runtime.spec}: ${lost}: ${runError(error).message}`;
}

/** One fresh process with one fresh worker: the JIT state, heap and layout of one process must not decide. */
function oneProcess(
  { recipe, runtime, channel }: Sampling,
  slice: Slice,
  terms: GuestTerms,
  tools: MeasureTools,
): Promise<Measured> {
  // A slow payload may take three slices to give its least rounds; see the guest's pace.
  const deadlineMs = 3 * slice.sliceMs + slice.warmupMs + terms.timeoutMs;
  return askFreshGuest({ type: 'measure', recipe, channel, ...slice }, runtime, deadlineMs, terms, tools);
}
