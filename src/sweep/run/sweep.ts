import { describeJob } from '../../app/job/describe.ts';
import { GuestSlot } from '../../app/job/guest-slot.ts';
import { Job, type JobSamples, type JobTerms, NOT_SAMPLED, runError, type Tools } from '../../app/job/job.ts';
import { proposalsFor, provePlans } from '../../app/job/prove.ts';
import { sample, weigh } from '../../app/job/sample.ts';
import type { RunError } from '../../model/documents/report.ts';
import type { LeftOut, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { channelRow, isLocal, SWEEP_SCHEMA, usualChannel } from '../../model/names.ts';
import { isMemorySeen } from '../../model/run/runtime.ts';
import { RAW, STRATEGY_NAMES } from '../../model/vocabulary/words.ts';
import type { Proof, Variant } from '../../model/wire/wire.ts';
import { Account, alike } from '../../stats/account.ts';
import { ORIGINAL, RunSamples } from '../../stats/intervals/variant-samples.ts';
import { toPeakMemory } from '../../stats/race/judge.ts';
import {
  findCrossovers,
  LEAST_OF_SIZE_MS,
  nextSize,
  SizeCosts,
  type Sized,
  type SizedSeries,
  type SweepRequest,
  type Swept,
  strategyResults,
  whatToSweep,
  withPublished,
} from './sizes.ts';

class SizedJob extends Job {
  readonly sized: Sized;
  /** Points of this size: the original, then each strategy. */
  points: SweepPoint[] = [];

  constructor(place: Omit<JobTerms, 'recipe'>, sized: Sized) {
    super({ ...place, recipe: sized.recipe });
    this.sized = sized;
  }
}

function pointsOf(job: SizedJob, strategies: readonly Variant[]): SweepPoint[] {
  const { channel, runtime, terms, sampled, sized } = job;
  const { payload, unit, size } = sized;
  const samples = new RunSamples(sampled.results, terms.seed);
  const untimed = sampled.error ?? new ToolError('measure-failed', { detail: 'no time was left' });
  const whyUntimed = (message: string | null): RunError =>
    message === null ? runError(untimed) : { code: 'measure-failed', message };
  return [ORIGINAL, ...strategies].map((variant) => {
    const { id } = variant;
    const roundTrip = samples.time(id);
    const isCompared = variant !== ORIGINAL && roundTrip !== null;
    return {
      runtime: { name: runtime.name, version: runtime.version },
      ...{ channel, payload, unit, size, strategy: strategyOf(variant) },
      ...{ roundTrip, send: samples.time(id, 'send'), receive: samples.time(id, 'receive') },
      ratio: isCompared ? samples.ratio(id, ORIGINAL.id, strategies.length) : null,
      peakMemory: null,
      published: null,
      error: roundTrip === null ? whyUntimed(samples.error(id)) : null,
    };
  });
}

/** `raw` at each size while time is left, the others only at the largest, which matters most. */
async function addMemoryUse(job: SizedJob, strategies: readonly Variant[], room: Account): Promise<void> {
  // A local channel leaves nothing in flight.
  if (isLocal(job.channel) || !isMemorySeen(job.runtime)) return;
  const { bytes, isLargest } = job.sized;
  const weighed = [ORIGINAL, ...(isLargest ? strategies : [])].flatMap((variant) => {
    const point = job.points.find(({ strategy }) => strategy === strategyOf(variant));
    return point?.roundTrip ? [{ point, variant, bytes, tripMs: point.roundTrip.median / 1e6 }] : [];
  });
  const { leftMs } = room;
  const uses = await weigh(job, {
    variants: weighed,
    processes: 1,
    // The memory of the largest payload is worth more than the budget.
    roomMs: (done) => (isLargest && done === 0 ? Number.POSITIVE_INFINITY : leftMs),
  });
  for (const { point, variant } of weighed) {
    const [use] = uses.get(variant) ?? [];
    if (use) point.peakMemory = toPeakMemory(use);
  }
}

/** Proven at one size, measured at each. */
export async function sweep(request: SweepRequest, tools: Tools): Promise<SweepReport> {
  const { subject, seed, signal, sender } = request;
  const { found, endLink } = request.runtimes;
  const preset = subject.kind === 'preset' ? subject.preset : null;
  const swept = await whatToSweep(request, tools);
  const { title, dimension } = swept;
  const places = found.flatMap((runtime) =>
    (request.channels ?? [preset?.channel ?? usualChannel(runtime.name)]).map((channel) => ({
      runtime,
      channel,
    })),
  );
  tools.emit({
    type: 'started',
    payloads: swept.series.length,
    runtimes: found.map(({ spec }) => spec),
    runs: places.length,
    runMs: request.budgetMs,
    totalMs: request.totalMs ?? null,
  });
  const account = new Account(tools.now, request.totalMs ?? null);
  const points: SweepPoint[] = [];
  const leftOut: LeftOut[] = [];
  for (const [at, { runtime, channel }] of places.entries()) {
    if (signal?.aborted) break;
    const budgetMs = account.next(alike(places.length - at), request.budgetMs) ?? 0;
    const own = new Account(tools.now, budgetMs);
    const place = { slot: new GuestSlot(tools, runtime, request), channel, tools, seed, sender };
    const { variants: strategies, leftOut: left } = await strategiesFor(swept, request, place);
    leftOut.push(...left);
    const costs = new SizeCosts(strategies.length + 1);
    points.push(...(await sweptPoints({ place, strategies, account: own, budgetMs, costs }, swept.series)));
  }
  await endLink?.();
  return {
    schema: SWEEP_SCHEMA,
    ...{ tool: { version: tools.version }, machine: tools.machine, seed },
    ...{ preset: preset?.name ?? null, title, dimension },
    points: preset ? withPublished(points, preset) : points,
    crossovers: findCrossovers(points),
    standings: strategyResults(points),
    folklore: preset?.folklore ?? null,
    leftOut,
    interrupted: signal?.aborted ?? false,
  };
}

const MAX_PROVEN_BYTES = 1e6;

async function strategiesFor({ series }: Swept, { subject }: SweepRequest, place: Omit<JobTerms, 'recipe'>) {
  if (subject.kind === 'preset') {
    const { strategies } = subject.preset;
    return { variants: strategies.map((strategy) => variantOf(strategy, WHOLE)), leftOut: [] };
  }
  const sizes = series[0]?.sizes ?? [];
  // A rewrite that is equal at one size is equal at all. Proofs at tens of megabytes take longer than measuring.
  const proven = sizes.findLast(({ bytes }) => bytes <= MAX_PROVEN_BYTES) ?? sizes[0];
  if (!proven) return { variants: [], leftOut: [] };
  try {
    return await provenStrategies(new Job({ ...place, recipe: proven.recipe }));
  } finally {
    await place.slot.close();
  }
}

/** Share of the budget for timing one size; the rest is for measuring the memory. */
const TIME_SHARE = 0.85;
/** Costs are estimates: a size is only measured if the time left is at least this multiple of its cost. */
const RESERVE = 1.25;
/** Maximum time of one size, in multiples of its cost. The rest is for larger sizes of yet unknown cost. */
const MAX_OF_COST = 3;
/** The same if sizes near the crossovers follow, since they need most of the budget. */
const MAX_OF_COARSE = 2;
/** A size is measured in at least one process if its messages take less than this time or share of the budget. */
const ALWAYS_MS = 2000;
const ALWAYS_SHARE = 0.5;

interface PlaceSweep {
  place: Omit<JobTerms, 'recipe'>;
  strategies: readonly Variant[];
  account: Account;
  budgetMs: number;
  costs: SizeCosts;
}

/**
 * The smallest size first. Each gets a share of the time by its expected cost. Unused time goes to later sizes, and
 * to sizes near the crossovers if sizes may be chosen. An interruption keeps the results.
 */
async function sweptPoints(one: PlaceSweep, series: readonly SizedSeries[]): Promise<SweepPoint[]> {
  const { place, strategies, account, costs } = one;
  const isRefined = strategies.length > 0 && series.some(({ inSize }) => inSize !== null);
  const jobs = series.flatMap(({ sizes }) => sizes.map((sized) => new SizedJob(place, sized)));
  await account.inTurns(jobs, {
    shareOf: (job, left) => shareOf(one, job, left, isRefined),
    run: async (job, ms) => {
      const end = new Account(place.tools.now, ms ?? 0);
      await timeSize(one, job, ms === null ? null : ms * TIME_SHARE);
      costs.learn(job.sized, job.points);
      // The memory of the largest payload takes precedence over further sizes.
      await addMemoryUse(job, strategies, isRefined && job.sized.isLargest ? account : end);
      return false;
    },
  });
  for (const swept of series) jobs.push(...(await nearCrossovers(one, swept, jobs)));
  return series.flatMap(({ id }) =>
    jobs
      .filter(({ sized }) => sized.payload === id)
      .flatMap(({ points }) => points)
      .sort((a, b) => a.size - b.size),
  );
}

/** Time for the next size, ms; null if the time left is too short and the size would take much of the budget. */
function shareOf(
  { account, budgetMs, costs }: PlaceSweep,
  { sized }: SizedJob,
  left: readonly SizedJob[],
  isRefined: boolean,
): number | null {
  const { inAllMs, messagesMs } = costs.of(sized);
  const isLast = left.length === 1;
  const most = isRefined ? MAX_OF_COARSE : isLast ? Number.POSITIVE_INFINITY : MAX_OF_COST;
  const wanted = left.map((job) => RESERVE * costs.of(job.sized).inAllMs);
  const isOwed = messagesMs <= Math.max(ALWAYS_MS, ALWAYS_SHARE * budgetMs);
  return account.next(wanted, most * inAllMs) ?? (isOwed ? LEAST_OF_SIZE_MS : null);
}

/** Times one size in all processes that fit in `ms`. It lacks points if it was stopped before the first. */
async function timeSize(
  { strategies, account, costs }: PlaceSweep,
  job: SizedJob,
  ms: number | null,
  timed = strategies,
): Promise<void> {
  const { sliceMs, messagesMs } = costs.of(job.sized);
  if (ms !== null) await sample(job, { budgetMs: ms, sliceMs, variants: [ORIGINAL, ...timed] });
  else job.sampled = overBudget(messagesMs, account.leftMs);
  if (job.sampled.results.length > 0 || !job.slot.isStopped) job.points = pointsOf(job, strategies);
}

/** With the strategies that cross there, until the crossovers are known or the budget is spent. */
async function nearCrossovers(
  one: PlaceSweep,
  { id, grain, inSize }: SizedSeries,
  done: readonly SizedJob[],
): Promise<SizedJob[]> {
  const jobs: SizedJob[] = [];
  const { place, strategies, account, costs } = one;
  const known = done.filter(({ sized }) => sized.payload === id).flatMap(({ points }) => points);
  while (inSize !== null && !place.slot.isStopped) {
    const points = jobs.flatMap((job) => job.points);
    const next = nextSize(known, points, grain);
    if (next === null) break;
    const job = new SizedJob(place, inSize(next.size));
    const cost = RESERVE * costs.of(job.sized).inAllMs;
    const ms = account.next(new Array<number>(Math.ceil(next.left)).fill(cost));
    if (ms === null) break;
    const crossing = strategies.filter((variant) => strategyOf(variant) === next.strategy);
    await account.spend(ms, () => timeSize(one, job, ms, crossing));
    job.points = job.points.filter(({ strategy }) => [RAW, next.strategy].includes(strategy));
    jobs.push(job);
  }
  return jobs;
}

const seconds = (ms: number): string => `${Math.max(0, ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

function overBudget(needMs: number, leftMs: number): JobSamples {
  const detail = `it takes about ${seconds(needMs)}, and ${seconds(leftMs)} of the budget are left. Raise --budget, or lower the sizes with --scale`;
  return { ...NOT_SAMPLED, error: new ToolError('measure-failed', { detail }) };
}

const strategyOf = ({ remedy }: Variant): string => remedy ?? RAW;

/** Maximum number of rewrites in addition to the three strategies. More would leave too little time for each. */
const MAX_REMEDIES = 3;

const WHOLE: Plan = { path: '$', paths: ['$'] };

const variantOf = (remedy: string, plan: Plan): Variant => ({
  ...{ id: `${remedy}/with-conversion`, remedy, plan, mode: 'with-conversion' },
});

/** The three strategies and the rewrites that the findings call for, provided that they give back an equal payload. */
async function provenStrategies(job: Job) {
  const { recipe, channel, runtime } = job;
  const { name, version } = runtime;
  const leftOut = (strategy: string, reason: string) => ({ runtime: { name, version }, strategy, reason });
  try {
    await describeJob(job, { thorough: false });
    const isOther = (remedy: string) => remedy !== 'json-text';
    const { proposals, untried: schemaless } = await proposalsFor(job, 2 * MAX_REMEDIES, {}, isOther);
    // Keeps only the first plan of each remedy.
    const first = new Map([...proposals].reverse().map((proposal) => [proposal.remedy, proposal]));
    const remedies = [...first.values()].reverse().slice(0, MAX_REMEDIES);
    // A string cannot be stringified any further.
    const isText = recipe.scale?.path === '$' && recipe.scale.by === 'chars';
    const names = STRATEGY_NAMES.filter(
      (remedy) => remedy !== 'bytes-transferred' || channelRow(channel).moves === true,
    );
    const json = (isText ? [] : names).map((remedy) => ({ remedy, plan: WHOLE }));
    const { proofs, untried } = await provePlans(job, [...json, ...remedies]);
    return {
      variants: proofs
        .filter(({ equality }) => equality === 'equal')
        .map(({ remedy, plan }) => variantOf(remedy, plan)),
      leftOut: [
        ...proofs.filter(isWorthReporting).map(({ remedy, reason, losses: [loss] }) => {
          return leftOut(remedy, reason ?? (loss ? `${loss.path}: ${loss.what}` : 'not equal'));
        }),
        ...[...schemaless, ...untried].map(({ remedy, reason }) => leftOut(remedy, reason)),
      ],
    };
  } catch (error) {
    if (job.slot.isStopped) return { variants: [], leftOut: [] };
    return { variants: [], leftOut: [leftOut('everything but raw', runError(error).message)] };
  }
}

/** A rewrite that does not fit this payload is not reported, but a rewrite that would lose part of it is. */
const isWorthReporting = ({ remedy, equality }: Proof): boolean =>
  equality === 'lossy' || (equality !== 'equal' && STRATEGY_NAMES.some((name) => name === remedy));
