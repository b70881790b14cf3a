import { advise } from '../core/advise.ts';
import { type Judgement, judge } from '../core/judge.ts';
import { withMemory } from '../core/memory.ts';
import { answersOf, propose } from '../core/propose.ts';
import { ENGINES, SPEC } from '../engines/index.ts';
import type { Recipe } from '../model/recipe.ts';
import type { Plan } from '../model/remedy.ts';
import type { Run } from '../model/report.ts';
import type { Contestant, Proof } from '../model/wire.ts';
import type { Channel } from '../model/words.ts';
import { REMEDIES } from '../remedies/index.ts';
import type { Classified } from './classify-run.ts';
import type { GuestSeat } from './guest-seat.ts';
import { weighMemory } from './memory-run.ts';
import { runError } from './payloads.ts';
import { type Sampled, sample } from './sample.ts';
import type { AnalyzeRequest, Tools } from './tools.ts';

/** Proves the rewrites that the findings call for, times them against the original in turns, and advises. */
export async function measureRun(
  recipe: Recipe,
  seat: GuestSeat,
  channel: Channel,
  { run, described }: Classified,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Run> {
  if (!run.shape || !run.verdict) return run;
  const proofs = await prove(recipe, seat, channel, run, request, tools);
  const contestants = contestantsOf(proofs);
  const rejected = run.verdict.path === 'rejected';
  const sampled: Sampled = rejected
    ? { results: [], error: null }
    : await sample(
        {
          recipe,
          runtime: seat.runtime,
          channel,
          plan: {
            budgetMs: (1 - MEMORY_SHARE) * request.budgetMs,
            contestants,
            seed: request.seed,
            tripMs: guessTripMs(run),
          },
        },
        request,
        tools,
      );
  const options = { seed: request.seed, wireBytes: described?.wireBytes ?? null };
  const judged = judge(sampled.results, contestants, proofs, options);
  const { measurement, trials } = await weighed(judged, recipe, seat, channel, run, request, tools);
  const advice = advise({ measurement, trials, verdict: run.verdict, codeOf });
  if (measurement === null && !rejected) return unmeasured({ ...run, trials }, sampled);
  return { ...run, status: rejected ? 'classified' : 'measured', measurement, trials, advice };
}

/** Of the budget, for what is not timed. */
const MEMORY_SHARE = 0.2;

/** With the memory of messages in flight; between processes nobody can tell whose it is. */
async function weighed(
  judged: Judgement,
  recipe: Recipe,
  seat: GuestSeat,
  channel: Channel,
  { wireBytes, shape }: Run,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Judgement> {
  const { measurement, trials } = judged;
  if (measurement === null || channel === 'ipc' || request.signal?.aborted) return judged;
  const facts = {
    bytes: wireBytes ?? shape?.jsonBytes ?? 0,
    tripMs: measurement.roundTrip.median / 1e6,
    machineBytes: tools.machine.memoryBytes,
  };
  const budgetMs = MEMORY_SHARE * request.budgetMs;
  const { runtime } = seat;
  return withMemory(
    judged,
    await weighMemory({ recipe, runtime, channel, facts, trials, budgetMs }, request, tools),
  );
}

/** The verdict stands; only the times are missing, and the reason is said. */
function unmeasured(run: Run, { results, error }: Sampled): Run {
  const refused = results.flatMap(({ sets }) => sets).find((set) => set.error !== null)?.error;
  const why = refused ? { code: 'measure-failed', message: refused } : runError(error);
  return { ...run, status: 'failed', error: why };
}

/** Each is proven and then timed in two ways, within one budget. */
const MOST_PLANS = 6;

/** Nanoseconds a byte that serializing, copying and deserializing take there and back, as a first guess. */
const NS_A_BYTE = 10;

/** About one round trip, ms, so that the first slice of a large payload is not overfilled. */
function guessTripMs({ verdict, wireBytes, shape }: Run): number {
  if (verdict?.class === 'shared' || verdict?.class === 'moved') return 0;
  return ((wireBytes ?? shape?.jsonBytes ?? 0) * NS_A_BYTE) / 1e6;
}

async function prove(
  recipe: Recipe,
  seat: GuestSeat,
  channel: Channel,
  run: Run,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Proof[]> {
  if (!run.shape || !run.verdict) return [];
  const { shape, verdict, findings } = run;
  const answers = answersOf(ENGINES[run.runtime.engine], SPEC);
  const plans = propose(shape, { verdict, findings }, Object.values(REMEDIES), MOST_PLANS, answers);
  if (plans.length === 0) return [];
  const step = { payload: recipe.id, runtime: seat.runtime.spec, channel, step: 'prove' as const };
  tools.emit({ type: 'step', ...step, done: 0, of: plans.length });
  try {
    const context = { file: recipe.source.file, deadlineMs: request.timeoutMs };
    return (await seat.ask({ type: 'prove', recipe, plans }, context)).proofs;
  } catch (error) {
    const { message } = runError(error);
    tools.emit({
      type: 'warning',
      text: `${recipe.id} on ${seat.runtime.spec}: no rewrite was tried: ${message}`,
    });
    return [];
  } finally {
    await seat.close();
  }
}

/** Floor, original, and two ways of each proven remedy. What was refused or failed is not timed. */
function contestantsOf(proofs: readonly Proof[]): Contestant[] {
  const proven = proofs.filter(({ equality }) => equality === 'equal' || equality === 'lossy');
  const ways = proven.flatMap(({ remedy, plan }, index) =>
    (['with-conversion', 'in-place'] as const).map(
      (mode): Contestant => ({ id: `${index}:${remedy}@${plan.path}/${mode}`, remedy, plan, mode }),
    ),
  );
  return [
    { id: 'floor', remedy: null, plan: null, mode: 'floor' },
    { id: 'original', remedy: null, plan: null, mode: 'original' },
    ...ways,
  ];
}

function codeOf(name: string, plan: Plan): { sender: string; receiver: string } | null {
  return (
    Object.values(REMEDIES)
      .find((remedy) => remedy.name === name)
      ?.code(plan) ?? null
  );
}
