import { nextStep, type SamplingPlan, type Slice } from '../core/measure/sampling.ts';
import type { Channel } from '../model/names.ts';
import type { Recipe } from '../model/recipe.ts';
import type { FoundRuntime } from '../model/runtime.ts';
import type { Measured } from '../model/wire.ts';
import type { AnalyzeRequest, Tools } from './tools.ts';

export interface Sampling {
  recipe: Recipe;
  runtime: FoundRuntime;
  channel: Channel;
  plan: Omit<SamplingPlan, 'startMs'>;
}

/** What a measured process needs of the request. */
export type GuestTerms = Pick<AnalyzeRequest, 'timeoutMs' | 'cwd' | 'signal'>;

export interface Sampled {
  results: Measured[];
  /** Why the last process that failed did; null when none did. */
  error: unknown;
}

export type SampleTools = Pick<Tools, 'driver' | 'emit' | 'now'>;

/** What a start costs before one was seen, ms. */
const USUAL_START_MS = 120;

/**
 * Fresh processes, one after the other, until every open comparison is decided or the budget ends. What was measured
 * before an interruption or a crash is kept.
 */
export async function sample(sampling: Sampling, request: GuestTerms, tools: SampleTools): Promise<Sampled> {
  const results: Measured[] = [];
  const began = tools.now();
  let failures = 0;
  let startMs = USUAL_START_MS;
  let error: unknown = null;
  while (!request.signal?.aborted) {
    const spentMs = tools.now() - began;
    reportProgress(sampling, spentMs, tools);
    const next = nextStep({ ...sampling.plan, startMs }, { results, spentMs, failures });
    if (next.step === 'done') break;
    try {
      const measured = await oneProcess(sampling, next.slice, request, tools);
      results.push(measured);
      startMs = Math.max(1, tools.now() - began - spentMs - next.slice.sliceMs - next.slice.warmupMs);
    } catch (thrown) {
      failures += 1;
      error = thrown;
    }
  }
  return { results, error };
}

function reportProgress(
  { recipe, runtime, channel, plan }: Sampling,
  spentMs: number,
  tools: SampleTools,
): void {
  const step = { payload: recipe.id, runtime: runtime.spec, channel, step: 'measure' as const };
  tools.emit({ type: 'step', ...step, done: Math.min(spentMs, plan.budgetMs), of: plan.budgetMs });
}

/** One fresh process with one fresh worker: what JIT, heap and layout gave one process must not decide. */
async function oneProcess(
  { recipe, runtime, channel }: Sampling,
  slice: Slice,
  request: GuestTerms,
  tools: SampleTools,
): Promise<Measured> {
  const { timeoutMs, cwd, signal } = request;
  const guest = await tools.driver.start(runtime, { timeoutMs, cwd, signal });
  try {
    // A slow payload may take three slices to give its least rounds; see the guest's pace.
    const deadlineMs = 3 * slice.sliceMs + slice.warmupMs + timeoutMs;
    return await guest.ask({ type: 'measure', recipe, channel, ...slice }, { deadlineMs });
  } finally {
    await guest.close();
  }
}
