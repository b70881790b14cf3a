import type { Measured, MemoryUse, Variant } from '../../model/wire/wire.ts';
import { type FlightFacts, flightMs, type MemoryUses, messagesInFlight } from '../../stats/race/judge.ts';
import { gainSoFar, nextStep, type SamplingRequest, type Slice } from '../../stats/race/sampling.ts';
import { type Job, type JobSamples, runError } from './job.ts';

/** Duration of a start, assumed until one was measured, ms. */
const USUAL_START_MS = 120;

/**
 * Runs fresh processes one after the other until every open comparison is decided or the budget is spent. The samples
 * are added to the job's samples, whose time counts as spent. Samples from before an interruption or a crash are kept.
 */
export async function sample(job: Job, asked: SamplingRequest): Promise<JobSamples> {
  const { tools, slot, sampled: earlier } = job;
  const plan = { ...asked, seed: job.terms.seed };
  const results = [...earlier.results];
  const began = tools.now() - earlier.spentMs;
  let { failures, error, dropped, spentMs, looks } = earlier;
  let startMs = USUAL_START_MS;
  while (!slot.isStopped) {
    spentMs = tools.now() - began;
    const { budgetMs, extraMs = 0 } = plan;
    const wholeMs = spentMs < budgetMs ? budgetMs : budgetMs + extraMs;
    job.step('measure', Math.min(spentMs, wholeMs), wholeMs, gainSoFar(plan, results));
    const next = nextStep({ ...plan, startMs }, { results, spentMs, failures, dropped });
    ({ dropped, looks } = next);
    if (next.step === 'done') break;
    try {
      results.push(await oneProcess(job, next.slice, plan.tripMs));
      startMs = Math.max(1, tools.now() - began - spentMs - next.slice.sliceMs - next.slice.warmupMs);
    } catch (thrown) {
      failures += 1;
      error = thrown;
    }
  }
  job.sampled = { results, dropped, looks, error, failures, spentMs };
  // The run stands, since most processes succeeded, but it has fewer samples than planned.
  if (failures > earlier.failures && failures < results.length && !slot.isStopped) {
    const lost = `${failures} of ${results.length + failures} processes were lost while they measured`;
    tools.emit({ type: 'note', text: `${job.name}: ${lost}: ${runError(error).message}` });
  }
  return job.sampled;
}

/** Minimum round trips of each variant, even on a busy machine: built, warmed up, timed, timed one way. */
const LEAST_TRIPS = 8;

/** One fresh process with one fresh worker, so that the JIT state, heap and layout of one process do not decide. */
function oneProcess(job: Job, slice: Slice, tripMs = 0): Promise<Measured> {
  const { recipe, channel } = job;
  const { sliceMs, warmupMs, variants } = slice;
  const leastMs = LEAST_TRIPS * tripMs * variants.length;
  // A slow payload may take three slices for its minimum number of rounds; see the guest's pace.
  return job.askFresh({ type: 'measure', recipe, channel, ...slice }, 3 * sliceMs + warmupMs + leastMs);
}

/** Duration of a process, assumed until one was measured, ms. */
const USUAL_PROCESS_MS = 250;

interface Weighing {
  variants: readonly (Pick<FlightFacts, 'bytes' | 'tripMs'> & { variant: Variant })[];
  processes: number;
  /** Time that all processes together may take once `done` of them have run, ms. */
  roomMs(done: number): number;
  /** Called with the error of a variant, which is then left out. Default: the error is printed as a warning. */
  onError?(variant: Variant, error: unknown): void;
}

/** Larger messages are weighed one after the other: two processes would need the memory of both at a time. */
const MAX_PAIRED_BYTES = 64e6;

/** Measures the memory of messages in flight, each variant in a separate process, two at a time, while time is left. */
export async function weigh(
  job: Job,
  { variants, processes, roomMs, onError = (...failed) => warn(job, ...failed) }: Weighing,
): Promise<MemoryUses> {
  const { now, machine } = job.tools;
  const uses = new Map<Variant, MemoryUse[]>();
  const failed = new Map<Variant, unknown>();
  const began = now();
  const atOnce = variants.every(({ bytes }) => bytes <= MAX_PAIRED_BYTES) ? 2 : 1;
  const asked = variants.map(({ variant, bytes, tripMs }) => {
    const messages = messagesInFlight({ bytes, tripMs, machineBytes: machine.memoryBytes / atOnce });
    return { variant, messages, ownMs: flightMs(messages, tripMs) };
  });
  const weighOne = async ({ variant, messages, ownMs }: (typeof asked)[number]): Promise<void> => {
    const { recipe = job.recipe } = variant;
    const { channel } = job;
    try {
      const use = await job.askFresh({ type: 'memory', recipe, channel, variant, messages }, ownMs);
      uses.set(variant, [...(uses.get(variant) ?? []), use]);
    } catch (error) {
      failed.set(variant, error);
    }
  };
  const left = Array.from({ length: processes }, () => asked).flat();
  for (let done = 0, costMs = 0; left.length > 0 && !job.slot.isStopped; ) {
    const next = left.splice(0, atOnce).filter(({ variant }) => !failed.has(variant));
    const start = now();
    const usualMs = USUAL_PROCESS_MS + Math.max(0, ...next.map(({ ownMs }) => ownMs));
    if (start - began + (costMs || usualMs) > roomMs(done)) break;
    job.step('memory');
    await Promise.all(next.map(weighOne));
    for (const { variant } of next) if (failed.has(variant)) onError(variant, failed.get(variant));
    costMs = now() - start;
    done += next.length;
  }
  return uses;
}

function warn({ name, slot, tools }: Job, { id }: Variant, error: unknown): void {
  const text = `${name}: memory of ${id} is not known: ${runError(error).message}`;
  if (!slot.isStopped) tools.emit({ type: 'warning', text });
}
