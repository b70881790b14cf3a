import { advise } from '../../core/advise/advise.ts';
import { contentionBetween, lostShare, runNoise } from '../../core/measure/cpu-contention.ts';
import { type Judgement, judge } from '../../core/measure/judge.ts';
import { withMemory } from '../../core/measure/memory.ts';
import type { Run } from '../../model/report/report.ts';
import type { Trial, Untried } from '../../model/report/trial.ts';
import type { Plan, Remedy } from '../../model/rules/remedy.ts';
import { triedIn } from '../../model/rules/tried.ts';
import { codeOfCalls } from '../../remedies/code/tried-calls.ts';
import { REMEDIES, SIMPLEST_FIRST } from '../../remedies/index.ts';
import { runError } from '../payloads.ts';
import type { Sampled } from '../sample.ts';
import type { Tools } from '../tools.ts';
import type { Classified } from './classify-run.ts';
import { measureMemory } from './memory-run.ts';
import { prove, variantsOf } from './prove-run.ts';
import type { RunContext } from './run-context.ts';
import { sampleWithTries } from './sample-tries.ts';

/** Of the budget, for the memory of messages in flight. */
const MEMORY_SHARE = 0.2;

/** Proves the rewrites that the findings call for, times them interleaved with the original, and advises. */
export async function measureRun(context: RunContext, { run, described }: Classified): Promise<Run> {
  if (!run.shape || !run.verdict) return run;
  const { request, tools } = context;
  const { proofs, untried } = await prove(context, run);
  const variants = variantsOf(proofs);
  const { seed } = request;
  const { verdict } = run;
  if (verdict.path === 'rejected') {
    const { trials } = judge([], variants, proofs, { seed });
    return {
      ...run,
      trials,
      advice: advise({ measurement: null, trials, untried, verdict, ...REMEDY_FACTS }),
    };
  }
  const budgetMs = (1 - MEMORY_SHARE) * request.budgetMs;
  const plan = { budgetMs, variants, seed, tripMs: guessTripMs(run) };
  const [began, before] = [tools.now(), countersOf(tools)];
  const { sampled, proofs: timed } = await sampleWithTries(context, plan, proofs);
  const spentMs = tools.now() - began;
  const strain = contentionBetween(before, countersOf(tools), spentMs);
  const options = { seed, wireBytes: described?.wireBytes ?? null, lost: lostShare(strain) };
  const judged = judge(sampled.results, variants, timed, options);
  const { measurement, trials } = await withMeasuredMemory(context, judged, run, request.budgetMs - spentMs);
  const noise = runNoise(judged.noise, strain, judged.widened);
  if (measurement === null) return unmeasured({ ...run, trials }, sampled);
  const neverTried = [...untried, ...untimed(trials, sampled)];
  const advice = advise({ measurement, trials, untried: neverTried, verdict, ...REMEDY_FACTS });
  return { ...run, status: 'measured', measurement, trials, advice, noise };
}

const countersOf = (tools: Tools) => tools.contention?.() ?? null;

/** With the memory of messages in flight, which cannot be attributed between processes. */
async function withMeasuredMemory(
  { recipe, runtime, channel, request, tools }: RunContext,
  judged: Judgement,
  { wireBytes, shape }: Run,
  leftMs: number,
): Promise<Judgement> {
  const { measurement, trials } = judged;
  if (measurement === null || channel === 'ipc' || request.signal?.aborted) return judged;
  const facts = {
    bytes: wireBytes ?? shape?.jsonBytes ?? 0,
    tripMs: measurement.roundTrip.median / 1e6,
    machineBytes: tools.machine.memoryBytes,
  };
  // Time that the timing left over may be used; time that it overdrew is not taken from the memory.
  const share = MEMORY_SHARE * request.budgetMs;
  const budgetMs = Math.min(2 * share, Math.max(share, leftMs));
  const plan = { recipe, runtime, channel, facts, trials, budgetMs };
  return withMemory(judged, await measureMemory(plan, request, tools));
}

/** Proven rewrites without a time, where a process failed: what the budget alone left out is unsure. */
const untimed = (trials: readonly Trial[], { error }: Sampled): Untried[] =>
  trials
    .filter((trial) => error !== null && trial.equality === 'equal' && trial.outcome === 'unsure')
    .filter(({ withConversion }) => withConversion === null)
    .map(({ remedy, path, plan }) => ({ remedy, path, plan, reason: runError(error).message }));

/** Keeps the verdict; the times are missing, with the reason. */
function unmeasured(run: Run, { results, error }: Sampled): Run {
  const refused = results.flatMap(({ sets }) => sets).find((set) => set.error !== null)?.error;
  const why = refused ? { code: 'measure-failed', message: refused } : runError(error);
  return { ...run, status: 'failed', error: why };
}

/** Nanoseconds per byte of a round trip, as a first guess. */
const NS_A_BYTE = 10;

/** About one round trip, ms, so that the first slice of a large payload is not overfilled. */
function guessTripMs({ verdict, wireBytes, shape }: Run): number {
  if (verdict?.class === 'shared' || verdict?.class === 'moved') return 0;
  return ((wireBytes ?? shape?.jsonBytes ?? 0) * NS_A_BYTE) / 1e6;
}

const remedyOf = (name: string): Remedy | undefined =>
  Object.values<Remedy>(REMEDIES).find((one) => one.name === name);

const REMEDY_FACTS = {
  simplestFirst: SIMPLEST_FIRST,
  codeOf: (name: string, plan: Plan) => {
    const calls = triedIn(plan)?.calls;
    return calls ? codeOfCalls(calls) : (remedyOf(name)?.code(plan) ?? null);
  },
  costsOf: (name: string) => remedyOf(name)?.costs ?? [],
};
