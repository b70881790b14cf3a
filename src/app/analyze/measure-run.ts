import { advise, withKeptTexts } from '../../core/advise/advise.ts';
import { countLines, worthFrom } from '../../core/advise/effort.ts';
import { toldLosses } from '../../core/classify/losses.ts';
import type { PostContext } from '../../core/classify/match.ts';
import { jsonObstacle } from '../../core/describe/json-safety.ts';
import { type Judgement, judge } from '../../core/measure/judge.ts';
import { type MemoryByVariant, withMemory } from '../../core/measure/memory.ts';
import { contentionBetween, lostShare, runNoise } from '../../core/measure/noise.ts';
import type { SamplingPlan } from '../../core/measure/sampling.ts';
import { judgeRatio } from '../../core/stats/decision.ts';
import { AFTER_RECEIVING, FLOOR, ORIGINAL } from '../../core/stats/variant-samples.ts';
import { filter, map } from '../../core/value/lists.ts';
import { ENGINES, STANDARD } from '../../engines/index.ts';
import type { ChannelChange } from '../../model/documents/classification.ts';
import type { Measurement } from '../../model/documents/measurement.ts';
import type { OtherChannel, Run } from '../../model/documents/report.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Plan, Trial, Untried } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, channelRow, IPC_CHANNELS, otherIpc } from '../../model/names.ts';
import { payloadShape } from '../../model/report/runs.ts';
import type { LossKind } from '../../model/rules/loss.ts';
import type { Engine, RuleBook } from '../../model/rules/rule.ts';
import { triedIn } from '../../model/rules/tried.ts';
import { isMemorySeen } from '../../model/run/runtime.ts';
import type { Proof, Variant } from '../../model/wire/wire.ts';
import { codeOfCalls } from '../../remedies/code/call.ts';
import { remedyNamed, SIMPLEST_FIRST } from '../../remedies/index.ts';
import { runError } from '../payloads.ts';
import type { Proven } from '../prove.ts';
import { NOT_SAMPLED, type SampledPayload } from '../sample.ts';
import type { RunContext, Tools } from '../tools.ts';
import type { DescribedRun } from './classify-run.ts';
import { measureMemory } from './memory-run.ts';
import { eligibleIn, prove, variantsOf } from './prove-run.ts';
import { sampleWithTries } from './tries.ts';

/** JSON text has neither classes nor attributes, and no rule says so of each object. */
const COMPARED: readonly LossKind[] = ['delivery', 'value', 'property'];

/** `kept`: what the other channel would not lose. `lost`: what it would, and this one does not. */
export function channelChange(
  shape: Shape,
  engine: Engine,
  standard: RuleBook,
  context: PostContext,
  to: Channel,
): { kept: ChannelChange[]; lost: ChannelChange[]; isRefused: boolean } {
  const here = lossesOf(shape, engine, standard, context);
  const there = lossesOf(shape, engine, standard, { ...context, channel: to });
  return {
    kept: without(here, there),
    lost: without(there, here),
    isRefused: there.some(({ kinds }) => kinds.includes('delivery')),
  };
}

type Told = ReturnType<typeof lossesOf>[number];

const lossesOf = (shape: Shape, engine: Engine, standard: RuleBook, context: PostContext) =>
  filter(toldLosses(shape, engine, standard, context), ({ kinds }) =>
    kinds.some((kind) => COMPARED.includes(kind)),
  );

const isRefusal = ({ kinds }: Told): boolean => kinds.includes('delivery');

/** A value of a message that is refused is another thing than one that arrives otherwise. */
const without = (some: readonly Told[], others: readonly Told[]): ChannelChange[] =>
  map(
    filter(
      some,
      (one) => !others.some((other) => other.pattern === one.pattern && isRefusal(other) === isRefusal(one)),
    ),
    ({ rule, pattern, example, count }) => ({ rule, path: count === 1 ? example : pattern, count }),
  );

const MODE = 'other-channel';

/** The payload over the other channel; null where there is none. What it refuses there is not timed. */
function otherChannelOf({ runtime, channel, shape }: Run) {
  if (!IPC_CHANNELS.includes(channel) || shape === null) return null;
  const to = otherIpc(channel);
  const engine = ENGINES[runtime.engine];
  const { isRefused, kept, lost } = channelChange(shape, engine, STANDARD, { runtime, channel }, to);
  const variant: Variant = { id: MODE, remedy: null, plan: null, mode: MODE, channel: to };
  return { channel: to, kept, lost, variants: isRefused ? [] : [variant] };
}

/** What the timing says of it. */
function judgedOther(
  other: ReturnType<typeof otherChannelOf>,
  { otherChannel: ratio }: Judgement,
): { otherChannel?: OtherChannel } {
  if (other === null) return {};
  const { channel, kept, lost, variants } = other;
  const outcome = variants.length === 0 ? 'refused' : judgeRatio(ratio);
  return { otherChannel: { channel, ratio, outcome, kept, lost } };
}

/** Where its second process takes the first down with it, the payload is timed without it. */
async function sampleBeside(
  context: RunContext,
  plan: Omit<SamplingPlan, 'startMs'>,
  proofs: readonly Proof[],
  earlier: SampledPayload,
): ReturnType<typeof sampleWithTries> {
  const all = await sampleWithTries(context, plan, proofs, earlier);
  const { results, error } = all.sampled;
  const variants = plan.variants.filter(({ mode }) => mode !== MODE);
  const isLost = results.length === 0 && error !== null && variants.length < plan.variants.length;
  if (!isLost || context.request.signal?.aborted) return all;
  return sampleWithTries(context, { ...plan, variants }, proofs);
}

const variantsBeside = (run: Run): Variant[] => [
  ...(otherChannelOf(run)?.variants ?? []),
  ...(run.builtLater ? [AFTER_RECEIVING] : []),
];

/** What the timing says of them. */
const judgedBeside = (run: Run, judged: Judgement): Partial<Run> => ({
  ...judgedOther(otherChannelOf(run), judged),
  ...(run.builtLater && {
    builtLater: {
      ...run.builtLater,
      ratio: judged.afterReceiving,
      outcome: judgeRatio(judged.afterReceiving),
    },
  }),
});

/** Share of the budget for the memory of messages in flight: on top of it, unless one budget holds for all runs. */
const MEMORY_SHARE = 0.2;

/** Share of the budget, on top of it, for a race that is undecided at its end: what most races leave. */
const UNDECIDED_SHARE = 0.3;

/** With one budget for all runs, memory is not measured in less: two processes. */
const MIN_SHARED_MEMORY_MS = 500;

/** A run, and how to go on with it: null where more time would change nothing. */
export interface MeasuredRun {
  run: Run;
  /** Samples for so many ms more, and judges all samples anew. */
  more: ((ms: number) => Promise<MeasuredRun>) | null;
}

/** What was measured so far. */
interface SoFar {
  sampled: SampledPayload;
  /** When it began, and the counters of the machine at that time. */
  began: number;
  before: ReturnType<typeof countersOf>;
  memory: MemoryByVariant | null;
}

/** Proves the rewrites that the findings call for, times them interleaved with the original, and advises. */
export async function measureRun(context: RunContext, classified: DescribedRun): Promise<MeasuredRun> {
  const { run } = classified;
  if (!run.shape || !run.verdict) return { run, more: null };
  const { request, tools } = context;
  const proven = await prove(context, classified);
  if (proven.schema !== undefined) run.schema = proven.schema;
  if (run.verdict.path === 'rejected') {
    const { verdict } = run;
    const { proofs, untried } = proven;
    const { trials } = judge([], variantsOf(proofs), proofs, { seed: request.seed });
    const known = { measurement: null, trials, untried, spentMs: 0, verdict, obstacle: null };
    return { run: { ...run, trials, advice: advise({ ...known, ...remedyFacts(context) }) }, more: null };
  }
  const soFar = { sampled: NOT_SAMPLED, began: tools.now(), before: countersOf(tools), memory: null };
  return timedRun(context, classified, proven, soFar, request.budgetMs);
}

async function timedRun(
  context: RunContext,
  classified: DescribedRun,
  proven: Proven,
  soFar: SoFar,
  ms: number,
): Promise<MeasuredRun> {
  const { request, tools } = context;
  const { run } = classified;
  const variants = [...variantsOf(proven.proofs), ...variantsBeside(run)];
  const isAlone = request.totalMs == null;
  const samplingShare = isAlone || soFar.memory !== null ? 1 : 1 - MEMORY_SHARE;
  const extraShare = isAlone ? UNDECIDED_SHARE : 0;
  const plan = {
    ...{ variants, seed: request.seed, tripMs: guessTripMs(run), mayGrow: !isAlone },
    budgetMs: soFar.sampled.spentMs + samplingShare * ms,
    extraMs: extraShare * ms,
    ...{ eligible: eligibleIn(variants, proven.proofs), worthFrom: worthOf(variants, context) },
    oneWay: [FLOOR.id, ORIGINAL.id],
  };
  const { sampled, proofs } = await sampleBeside(context, plan, proven.proofs, soFar.sampled);
  const strain = contentionBetween(soFar.before, countersOf(tools), tools.now() - soFar.began);
  const { dropped, looks } = sampled;
  const { channel, wireBytes } = run;
  const options = { seed: request.seed, channel, wireBytes, lost: lostShare(strain), dropped, looks };
  const judged = judge(sampled.results, variants, proofs, options);
  const memory = soFar.memory ?? (await memoryOf(context, judged, run, ms));
  const { measurement, trials } = memory === null ? judged : withMemory(judged, memory);
  if (measurement === null) return { run: unmeasured({ ...run, trials }, sampled), more: null };
  const advice = advise({
    measurement,
    trials,
    untried: [...proven.untried, ...untimed(trials, sampled)],
    spentMs: sampled.spentMs / (samplingShare + extraShare),
    verdict: run.verdict,
    obstacle: jsonObstacle(payloadShape(run)),
    ...remedyFacts(context),
  });
  const noise = runNoise(judged.noise, strain, judged.widened);
  const more = (further: number) =>
    timedRun(context, classified, { ...proven, proofs }, { ...soFar, sampled, memory }, further);
  return {
    run: {
      ...run,
      ...{ status: 'measured', measurement: inPlace(measurement, context), trials, noise },
      ...judgedBeside(run, judged),
      advice: withKeptTexts(advice, trials, payloadShape(run), run.runtime.engine),
    },
    more: sampled.results.length > soFar.sampled.results.length ? more : null,
  };
}

/** With where it was measured, unless as usual. */
function inPlace(measurement: Measurement, { request, runtime: { link } }: RunContext): Measurement {
  return { ...(link && { link }), ...measurement, ...(request.sender === 'worker' && { sender: 'worker' }) };
}

const countersOf = (tools: Tools) => tools.contention?.() ?? null;

/** The memory of messages in flight; null where it cannot be attributed between processes. */
async function memoryOf(
  { recipe, runtime, channel, request, tools }: RunContext,
  { measurement, trials }: Judgement,
  { wireBytes, shape }: Run,
  ms: number,
): Promise<MemoryByVariant | null> {
  const { elsewhere = false } = channelRow(channel);
  if (measurement === null || elsewhere || !isMemorySeen(runtime) || request.signal?.aborted) return null;
  const facts = {
    bytes: wireBytes ?? shape?.jsonBytes ?? 0,
    tripMs: measurement.roundTrip.median / 1e6,
    machineBytes: tools.machine.memoryBytes,
  };
  const budgetMs = MEMORY_SHARE * ms;
  // Other runs wait for what this one overdraws.
  if (request.totalMs != null && budgetMs < MIN_SHARED_MEMORY_MS) return null;
  return measureMemory({ recipe, runtime, channel, facts, trials, budgetMs }, request, tools);
}

/** Proven rewrites without a time, where a process failed: what the budget alone left out is unsure. */
const untimed = (trials: readonly Trial[], { error }: SampledPayload): Untried[] =>
  trials
    .filter((trial) => error !== null && trial.equality === 'equal' && trial.outcome === 'unsure')
    .filter(({ withConversion }) => withConversion === null)
    .map(({ remedy, path, plan }) => ({ remedy, path, plan, reason: runError(error).message }));

/** Keeps the verdict; the times are missing, with the reason. */
function unmeasured(run: Run, { results, error }: SampledPayload): Run {
  const refused = results.flatMap(({ sets }) => sets).find((set) => set.error !== null)?.error;
  const why = runError(refused ? new ToolError('measure-failed', { detail: refused }) : error);
  return { ...run, status: 'failed', error: why };
}

/** Nanoseconds of a round trip for each byte and each value, as a first guess. */
const NS_A_BYTE = 10;
const NS_A_VALUE = 250;

/** About one round trip, ms, so that the first slice of a large payload is not overfilled. */
function guessTripMs({ verdict, wireBytes, shape }: Run): number {
  if (verdict?.class === 'shared' || verdict?.class === 'moved') return 0;
  return ((wireBytes ?? shape?.jsonBytes ?? 0) * NS_A_BYTE + (shape?.nodes ?? 0) * NS_A_VALUE) / 1e6;
}

/** By id of the rewrite: how much it must gain for its lines of code and what it costs. */
function worthOf(variants: readonly Variant[], context: RunContext): Record<string, number> {
  const { codeOf, costsOf } = remedyFacts(context);
  const worths = variants.map(({ id, remedy, plan }) => {
    const lines = countLines(remedy && plan ? codeOf(remedy, plan) : null);
    return [id, worthFrom({ lines, costs: remedy === null ? [] : costsOf(remedy) })];
  });
  return Object.fromEntries(worths);
}

/** What advice says of rewrites. */
const remedyFacts = ({ channel, recipe: { via = null } }: RunContext) => ({
  simplestFirst: SIMPLEST_FIRST,
  codeOf: (name: string, plan: Plan) => {
    const calls = triedIn(plan)?.calls;
    if (calls) return codeOfCalls(calls, { channel, via });
    return remedyNamed(name)?.code(plan, { channel, via }) ?? null;
  },
  costsOf: (name: string) => remedyNamed(name)?.costs ?? [],
});
