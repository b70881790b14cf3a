import { codeOfCalls, pastedCode } from '../../codec/code/call.ts';
import { remedyNamed, SIMPLEST_FIRST } from '../../codec/remedies/index.ts';
import type { PostContext } from '../../engines/classify/match.ts';
import { toldLosses } from '../../engines/classify/observed.ts';
import { ENGINES } from '../../engines/index.ts';
import type { ChannelChange } from '../../model/documents/classification.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Plan, Trial, Untried } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, channelRow, IPC_CHANNELS, otherIpc } from '../../model/names.ts';
import { payloadShape } from '../../model/report/runs.ts';
import { triedIn } from '../../model/rules/remedy.ts';
import type { LossKind } from '../../model/rules/rule.ts';
import { isMemorySeen } from '../../model/run/runtime.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { advise, countLines, withKeptTexts, worthFrom } from '../../stats/advise/advise.ts';
import { judgeRatio } from '../../stats/evidence.ts';
import { AFTER_RECEIVING, FLOOR, ORIGINAL } from '../../stats/intervals/variant-samples.ts';
import { type Judgement, judge, withMemory, worthMeasuringMemory } from '../../stats/race/judge.ts';
import { contentionBetween, lostShare, runNoise } from '../../stats/race/noise.ts';
import { jsonObstacle } from '../../value/describe/json-safety.ts';
import { filter, map } from '../../value/read/lists.ts';
import { type Analysis, type Job, nothingProven, type Phase, type Proven, runError } from '../job/job.ts';
import { eligibleIn, sampleSafely, variantsOf } from '../job/prove.ts';
import { weigh } from '../job/sample.ts';

/** Compared kinds of loss. JSON text keeps neither classes nor attributes; no rule says so per object. */
const COMPARED: readonly LossKind[] = ['delivery', 'value', 'property'];

/** Compares losses. `kept`: lost over this channel only. `lost`: lost over the other channel only. */
export function channelChange(shape: Shape, { runtime, channel: from }: PostContext, to: Channel) {
  const over = (channel: Channel) =>
    filter(toldLosses(shape, ENGINES[runtime.engine], { runtime, channel }), ({ kinds }) =>
      kinds.some((kind) => COMPARED.includes(kind)),
    );
  const [here, there] = [over(from), over(to)];
  return { kept: without(here, there), lost: without(there, here), isRefused: there.some(isRefusal) };
}

type Told = ReturnType<typeof toldLosses>[number];

const isRefusal = ({ kinds }: Told): boolean => kinds.includes('delivery');

/** Losses that `others` lacks. A refusal of the message and a changed value at the same path are different losses. */
const without = (some: readonly Told[], others: readonly Told[]): ChannelChange[] =>
  map(
    filter(
      some,
      (one) => !others.some((other) => other.pattern === one.pattern && isRefusal(other) === isRefusal(one)),
    ),
    ({ rule, pattern, example, count }) => ({ rule, path: count === 1 ? example : pattern, count }),
  );

const OTHER_CHANNEL = 'other-channel';

/** Null if there is only one such channel. A message that the other channel refuses is not timed. */
function otherChannelOf({ runtime, channel, shape }: Run) {
  if (!IPC_CHANNELS.includes(channel) || shape === null) return null;
  const to = otherIpc(channel);
  const { isRefused, kept, lost } = channelChange(shape, { runtime, channel }, to);
  const variant: Variant = { id: OTHER_CHANNEL, remedy: null, plan: null, mode: OTHER_CHANNEL, channel: to };
  return { channel: to, kept, lost, variants: isRefused ? [] : [variant] };
}

const variantsBeside = (run: Run): Variant[] => [
  ...(otherChannelOf(run)?.variants ?? []),
  ...(run.builtLater ? [AFTER_RECEIVING] : []),
];

function judgedBeside(run: Run, { otherChannel, afterReceiving }: Judgement): Partial<Run> {
  const { builtLater } = run;
  const later = builtLater && { ...builtLater, ratio: afterReceiving, outcome: judgeRatio(afterReceiving) };
  const told = later && { builtLater: later };
  const other = otherChannelOf(run);
  if (other === null) return { ...told };
  const { channel, kept, lost, variants } = other;
  const outcome = variants.length === 0 ? 'refused' : judgeRatio(otherChannel);
  return { otherChannel: { channel, ratio: otherChannel, outcome, kept, lost }, ...told };
}

const MEMORY_SHARE = 0.2;

/** Extra share of the budget for a race that is still undecided at its end: about the time that most races leave. */
const UNDECIDED_SHARE = 0.2;

/** Minimum time to measure memory if one budget covers all runs: it is enough for two processes. */
const MIN_SHARED_MEMORY_MS = 500;

/** Times the rewrites interleaved with the original, for `ms` more if it ran before, and advises by all samples. */
export const timeRewrites: Phase = async (job, analysis, ms) => {
  job.proven ??= nothingProven();
  const { run, proven } = job;
  if (run.verdict?.path === 'rejected') job.run = { ...run, ...refused(job, proven) };
  else if (run.shape && run.verdict) await race(job, proven, analysis, ms);
};

function refused(job: Job, { proofs, untried }: Proven): Partial<Run> {
  const { trials } = judge([], variantsOf(proofs), proofs, { seed: job.terms.seed });
  const known = { measurement: null, trials, untried, spentMs: 0, verdict: job.run.verdict, obstacle: null };
  return { trials, advice: advise({ ...known, ...remedyFacts(job) }) };
}

async function race(job: Job, proven: Proven, analysis: Analysis, ms: number): Promise<void> {
  const { tools, account } = analysis;
  const { run, channel, runtime } = job;
  const { seed, sender } = job.terms;
  const { link } = runtime;
  const variants = [...variantsOf(proven.proofs), ...variantsBeside(run)];
  const isAlone = !account.isLimited;
  const samplingShare = job.memory !== null ? 1 : 1 - MEMORY_SHARE;
  const extraShare = isAlone ? UNDECIDED_SHARE : 0;
  job.began ??= { ms: tools.now(), counters: tools.contention?.() ?? null };
  const sampled = await sampleSafely(
    job,
    {
      ...{ variants, tripMs: guessTripMs(run), mayGrow: !isAlone },
      budgetMs: job.sampled.spentMs + samplingShare * ms,
      extraMs: extraShare * ms,
      ...{ eligible: eligibleIn(variants, proven.proofs), worthFrom: worthOf(variants, job) },
      oneWay: [FLOOR.id, ORIGINAL.id],
    },
    proven,
  );
  const counters = tools.contention?.() ?? null;
  const strain = contentionBetween(job.began.counters, counters, tools.now() - job.began.ms);
  const { dropped, looks } = sampled;
  const options = { seed, channel, lost: lostShare(strain), dropped, looks };
  const judged = judge(sampled.results, variants, proven.proofs, options);
  job.memory ??= await memoryOf(job, judged, analysis, ms);
  const { measurement, trials } = job.memory === null ? judged : withMemory(judged, job.memory);
  if (measurement === null) {
    job.run = unmeasured({ ...run, trials }, sampled);
    return;
  }
  const advice = advise({
    ...{ measurement, trials, untried: [...proven.untried, ...untimed(trials, sampled)] },
    // Proofs took their part of the budget too: a run that is open at its end needs more than that budget.
    spentMs: Math.max(
      isAlone ? analysis.request.budgetMs : 0,
      sampled.spentMs / (samplingShare + extraShare),
    ),
    verdict: run.verdict,
    obstacle: jsonObstacle(payloadShape(run)),
    ...remedyFacts(job),
  });
  const noise = runNoise(judged, strain);
  job.run = {
    ...run,
    ...{ status: 'measured', trials, noise },
    measurement: { ...(link && { link }), ...measurement, ...(sender === 'worker' && { sender }) },
    ...judgedBeside(run, judged),
    advice: withKeptTexts(advice, trials, payloadShape(run), run.runtime.engine),
  };
}

/** Memory of messages in flight; null if it cannot be attributed to a process. */
async function memoryOf(job: Job, { measurement, trials }: Judgement, { account }: Analysis, ms: number) {
  const { shape } = job.run;
  const { elsewhere = false } = channelRow(job.channel);
  if (measurement === null || elsewhere || !isMemorySeen(job.runtime) || job.slot.isStopped) return null;
  const facts = {
    bytes: job.run.bytes?.copied ?? shape?.jsonBytes ?? 0,
    tripMs: measurement.roundTrip.median / 1e6,
  };
  const budgetMs = MEMORY_SHARE * ms;
  // Overdrawing here would take time from other runs.
  if (account.isLimited && budgetMs < MIN_SHARED_MEMORY_MS) return null;
  return weighRewrites(job, facts, trials, budgetMs);
}

/** Number of processes for the memory of variants that are compared. A figure without comparison is taken once. */
const MAX_PROCESSES = 2;
/** The original and the best remedy may exceed the budget by this factor: one figure for each is better than none. */
const OVERDRAFT = 2;
const OVERDRAWN_PROCESSES = 2;

export function weighRewrites(
  job: Job,
  facts: { bytes: number; tripMs: number },
  trials: readonly Trial[],
  budgetMs: number,
) {
  const rewrites = worthMeasuringMemory(trials).map(
    ({ remedy, plan }): Variant => ({ id: remedy, remedy, plan, mode: 'with-conversion' }),
  );
  return weigh(job, {
    variants: [ORIGINAL, ...rewrites].map((variant) => ({ variant, ...facts })),
    processes: rewrites.length > 0 ? MAX_PROCESSES : 1,
    roomMs: (done) => (done < OVERDRAWN_PROCESSES ? OVERDRAFT * budgetMs : budgetMs),
  });
}

/** Proven rewrites without a time because a process failed. If the budget was too short, they are unsure. */
const untimed = (trials: readonly Trial[], { error }: Job['sampled']): Untried[] =>
  trials
    .filter((trial) => error !== null && trial.equality === 'equal' && trial.outcome === 'unsure')
    .filter(({ withConversion }) => withConversion === null)
    .map(({ remedy, path, plan }) => ({ remedy, path, plan, reason: runError(error).message }));

function unmeasured(run: Run, { results, error }: Job['sampled']): Run {
  const refused = results.flatMap(({ sets }) => sets).find((set) => set.error !== null)?.error;
  const why = runError(refused ? new ToolError('measure-failed', { detail: refused }) : error);
  return { ...run, status: 'failed', error: why };
}

/** First guess of a round trip: nanoseconds for each byte and for each value. */
const NS_A_BYTE = 10;
const NS_A_VALUE = 250;

/** Rough duration of one round trip, ms, so that the first slice of a large payload is not overfilled. */
function guessTripMs({ verdict, bytes, shape }: Run): number {
  if (verdict?.class === 'shared' || verdict?.class === 'moved') return 0;
  return ((bytes?.copied ?? shape?.jsonBytes ?? 0) * NS_A_BYTE + (shape?.nodes ?? 0) * NS_A_VALUE) / 1e6;
}

/** Minimum gain of each rewrite by its id, derived from its lines of code and its costs. */
function worthOf(variants: readonly Variant[], job: Job): Record<string, number> {
  const { codeOf, costsOf } = remedyFacts(job);
  const worths = variants.map(({ id, remedy, plan }) => {
    const lines = countLines(remedy && plan ? codeOf(remedy, plan) : null);
    return [id, worthFrom({ lines, costs: remedy === null ? [] : costsOf(remedy) })];
  });
  return Object.fromEntries(worths);
}

const remedyFacts = ({ channel, recipe: { via = null } }: Job) => ({
  simplestFirst: SIMPLEST_FIRST,
  codeOf: (name: string, plan: Plan) => {
    const calls = triedIn(plan)?.calls;
    if (calls) return codeOfCalls(calls, { channel, via });
    const codec = remedyNamed(name)?.codec(plan, { channel, via });
    return codec ? pastedCode(codec) : null;
  },
  costsOf: (name: string) => remedyNamed(name)?.costs ?? [],
});
