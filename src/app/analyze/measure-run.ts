import { advise } from '../../core/advise/advise.ts';
import { contentionBetween, lostShare, runNoise } from '../../core/measure/cpu-contention.ts';
import { type Judgement, judge } from '../../core/measure/judge.ts';
import { withMemory } from '../../core/measure/memory.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { Plan } from '../../model/remedy.ts';
import type { Run } from '../../model/report.ts';
import { REMEDIES } from '../../remedies/index.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { runError } from '../payloads.ts';
import { type Sampled, sample } from '../sample.ts';
import type { AnalyzeRequest, Tools } from '../tools.ts';
import type { Classified } from './classify-run.ts';
import { type Weighing, weighMemory } from './memory-run.ts';
import { prove, variantsOf } from './prove-run.ts';

/** Of the budget, for what is not timed: the memory of messages in flight. */
const MEMORY_SHARE = 0.2;

/** Proves the rewrites that the findings call for, times them against the original in turns, and advises. */
export async function measureRun(
  recipe: Recipe,
  slot: GuestSlot,
  channel: Channel,
  { run, described }: Classified,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Run> {
  if (!run.shape || !run.verdict) return run;
  const { runtime } = slot;
  const proofs = await prove(recipe, slot, channel, run, request, tools);
  const variants = variantsOf(proofs);
  const { seed } = request;
  const { verdict } = run;
  if (verdict.path === 'rejected') {
    const { trials } = judge([], variants, proofs, { seed });
    return { ...run, trials, advice: advise({ measurement: null, trials, verdict, codeOf }) };
  }
  const budgetMs = (1 - MEMORY_SHARE) * request.budgetMs;
  const plan = { budgetMs, variants, seed, tripMs: guessTripMs(run) };
  const [began, before] = [tools.now(), countersOf(tools)];
  const sampled = await sample({ recipe, runtime, channel, plan }, request, tools);
  const spentMs = tools.now() - began;
  const strain = contentionBetween(before, countersOf(tools), spentMs);
  const options = { seed, wireBytes: described?.wireBytes ?? null, lost: lostShare(strain) };
  const judged = judge(sampled.results, variants, proofs, options);
  const { measurement, trials } = await weighed(
    judged,
    { recipe, runtime, channel },
    run,
    request.budgetMs - spentMs,
    request,
    tools,
  );
  const noise = runNoise(judged.noise, strain, judged.widened);
  if (measurement === null) return unmeasured({ ...run, trials }, sampled);
  const advice = advise({ measurement, trials, verdict, codeOf });
  return { ...run, status: 'measured', measurement, trials, advice, noise };
}

const countersOf = (tools: Tools) => tools.contention?.() ?? null;

/** With the memory of messages in flight; between processes nobody can tell whose it is. */
async function weighed(
  judged: Judgement,
  where: Pick<Weighing, 'recipe' | 'runtime' | 'channel'>,
  { wireBytes, shape }: Run,
  leftMs: number,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Judgement> {
  const { measurement, trials } = judged;
  if (measurement === null || where.channel === 'ipc' || request.signal?.aborted) return judged;
  const facts = {
    bytes: wireBytes ?? shape?.jsonBytes ?? 0,
    tripMs: measurement.roundTrip.median / 1e6,
    machineBytes: tools.machine.memoryBytes,
  };
  // What the timing did not need is there to be used; what it overdrew is not taken from the memory.
  const share = MEMORY_SHARE * request.budgetMs;
  const budgetMs = Math.min(2 * share, Math.max(share, leftMs));
  return withMemory(judged, await weighMemory({ ...where, facts, trials, budgetMs }, request, tools));
}

/** The verdict stands; only the times are missing, and the reason is said. */
function unmeasured(run: Run, { results, error }: Sampled): Run {
  const refused = results.flatMap(({ sets }) => sets).find((set) => set.error !== null)?.error;
  const why = refused ? { code: 'measure-failed', message: refused } : runError(error);
  return { ...run, status: 'failed', error: why };
}

/** Nanoseconds a byte that serializing, copying and deserializing take there and back, as a first guess. */
const NS_A_BYTE = 10;

/** About one round trip, ms, so that the first slice of a large payload is not overfilled. */
function guessTripMs({ verdict, wireBytes, shape }: Run): number {
  if (verdict?.class === 'shared' || verdict?.class === 'moved') return 0;
  return ((wireBytes ?? shape?.jsonBytes ?? 0) * NS_A_BYTE) / 1e6;
}

function codeOf(name: string, plan: Plan): { sender: string; receiver: string } | null {
  return (
    Object.values(REMEDIES)
      .find((remedy) => remedy.name === name)
      ?.code(plan) ?? null
  );
}
