import { withCodec } from '../../codec/make/codec.ts';
import { runtimeOfSpec } from '../../engines/versions/versions.ts';
import { fnv1aHex } from '../../model/cut.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, REPORT_SCHEMA, type RuntimeName, usualChannel } from '../../model/names.ts';
import { fileNameOf } from '../../model/report/recipe.ts';
import { emptyRun, payloadShape } from '../../model/report/runs.ts';
import { shownPlan } from '../../model/rules/remedy.ts';
import type { BranchBytes } from '../../model/wire/wire.ts';
import { withRecordings } from '../../record/analyze/recorded.ts';
import { Account, alike } from '../../stats/account.ts';
import { countedLines } from '../../stats/advise/advise.ts';
import { stepsOf } from '../../stats/advise/steps.ts';
import { branchCosts, branchesOf, branchVariants } from '../../stats/branches/branches.ts';
import { describeJob } from '../job/describe.ts';
import { GuestSlot } from '../job/guest-slot.ts';
import { type Analysis, type AnalyzeRequest, Job, type Phase, runError, type Tools } from '../job/job.ts';
import { openSources, type Payload, recipesOf, samplesIn } from '../job/payloads.ts';
import { proveRewrites } from '../job/prove.ts';
import { sample } from '../job/sample.ts';
import { timeRewrites } from './measure.ts';

/** Maximum length of one part. File systems allow 255 bytes for a whole name. */
const MAX_LENGTH = 100;

/** `text` as a part of a file name. If more than the `#` of an export changes, a hash keeps two ids apart. */
export function fileNamePart(text: string): string {
  const safe = fileNameOf(text).slice(0, MAX_LENGTH);
  return safe === text.replace(/#/g, '-') ? safe : `${safe}-${fnv1aHex(text)}`;
}

/** Phases after the race: the requested details of a measured run, and the rest of the advice. */
const DETAILS: readonly Phase[] = [leaveOutBranches, profileThreads, completeAdvice];

/** Time for the branches, beyond the budget of the run itself, as a share of that budget. */
const BY_PATH_SHARE = 0.5;

async function leaveOutBranches(job: Job, { request }: Analysis, ms: number): Promise<void> {
  const { run } = job;
  if (run.status !== 'measured' || !request.byPath) return;
  const payload = payloadShape(run);
  const paths = payload === null ? [] : branchesOf(payload);
  if (paths.length === 0) {
    job.run = { ...run, byPath: [] };
    return;
  }
  job.step('by-path');
  const bytes = await askBranchBytes(job, paths);
  const { results } = await sample(new Job(job.terms), {
    budgetMs: BY_PATH_SHARE * ms,
    oneWay: [],
    variants: branchVariants(paths),
    tripMs: (run.measurement?.roundTrip.median ?? 0) / 1e6,
  });
  job.run = { ...run, byPath: branchCosts(paths, results, bytes, request.seed) };
}

async function askBranchBytes(job: Job, paths: string[]): Promise<BranchBytes | null> {
  const { recipe, runtime, tools } = job;
  try {
    return await job.askFresh({ type: 'branch-bytes', recipe, paths });
  } catch (error) {
    const text = `${recipe.id} on ${runtime.name}: the bytes of its branches are unknown: ${runError(error).message}`;
    tools.emit({ type: 'warning', text });
    return null;
  }
}

/** A fifth of the budget gives a few thousand samples. A larger profile does not show more. */
const PROFILE_SHARE = 0.2;
const MAX_PROFILE_MS = 2000;

/** Profiles both threads in a separate guest process, so that no timed process is profiled. */
async function profileThreads(job: Job, { request }: Analysis, ms: number): Promise<void> {
  const { recipe, channel, run } = job;
  if (run.status !== 'measured' || !request.profile) return;
  const { folder, shown } = request.profile;
  job.step('profile');
  const profiledMs = Math.min(MAX_PROFILE_MS, PROFILE_SHARE * ms);
  const name = profileNameOf(job, request.channels);
  try {
    const { profile } = await job.askFresh(
      { type: 'profile', recipe, channel, ms: profiledMs, folder, name },
      profiledMs,
    );
    job.run = { ...run, profile: { ...profile, files: profile.files.map((file) => `${shown}/${file}`) } };
  } catch (error) {
    const missing = [{ what: 'profile', why: runError(error).message }];
    job.run = { ...run, profile: { by: null, files: [], messages: 0, shares: null, top: [], missing } };
  }
}

/** "orders.node-20.20.2". The channel is added if there are several. */
function profileNameOf({ recipe, runtime, channel }: Job, all: AnalyzeRequest['channels']): string {
  const channels = (all?.length ?? 1) > 1 ? [channel] : [];
  return [recipe.id, `${runtime.name}-${runtime.version}`, ...channels].map(fileNamePart).join('.');
}

/** Adds the module, its assumptions, the calls and the price. File paths of this machine are removed from the plans. */
async function completeAdvice(job: Job, { tools }: Analysis): Promise<void> {
  const date = tools.today?.();
  const report = { tool: tools, ...(date === undefined ? {} : { date }) };
  const run = withCodec(report, job.recipe, withShownPlans(job.run));
  const { advice } = run;
  const text = advice?.action === 'apply' ? (advice.module ?? advice.code) : null;
  job.run = run;
  if (advice === null || text === null) return;
  const gzipBytes = (await tools.compressedBytes?.(text)) ?? null;
  job.run = { ...run, advice: { ...advice, price: { lines: countedLines(text), gzipBytes } } };
}

function withShownPlans(run: Run): Run {
  const { trials, advice } = run;
  const untried = advice?.untried?.map((one) => ({ ...one, plan: shownPlan(one.plan) }));
  return {
    ...run,
    trials: trials.map((trial) => ({ ...trial, plan: shownPlan(trial.plan) })),
    advice: advice && { ...advice, ...(untried && { untried }) },
  };
}

export async function analyze(request: AnalyzeRequest, tools: Tools): Promise<Report> {
  const report = await analyzeSources(request, tools);
  return withRecordings(report, request.sources);
}

/** Sources -> payloads -> jobs -> phases -> Report. */
export async function analyzeSources(request: AnalyzeRequest, tools: Tools): Promise<Report> {
  const { found, endLink } = request.runtimes;
  const account = new Account(tools.now, request.measure ? (request.totalMs ?? null) : null);
  const slots = found.map((runtime) => new GuestSlot(tools, runtime, request));
  const analysis = { request, tools, account };
  const reports: PayloadReport[] = [];
  try {
    const payloads = await openPayloads(slots, analysis);
    tools.emit({
      type: 'started',
      payloads: payloads.length,
      runtimes: found.map(({ spec }) => spec),
      runs: found.length * payloads.flatMap((one) => channelsFor(one, request)).length,
      runMs: request.measure ? request.budgetMs : 0,
      totalMs: request.totalMs ?? null,
    });
    // One budget for all runs is divided by the number of jobs, so all payloads are described first.
    const groups = account.isLimited ? [payloads] : payloads.map((one) => [one]);
    for (const group of groups)
      if (!request.signal?.aborted) reports.push(...(await analyzePayloads(group, slots, analysis)));
  } finally {
    await Promise.all(slots.map((slot) => slot.close()));
  }
  await endLink?.();
  return {
    schema: REPORT_SCHEMA,
    tool: { version: tools.version },
    machine: tools.machine,
    seed: request.seed,
    ...(tools.today ? { date: tools.today() } : {}),
    payloads: reports,
  };
}

/** Opens all payloads. If `one` is set, it keeps the first, with the schema of all, and inputs that failed. */
async function openPayloads(slots: readonly GuestSlot[], { request, tools }: Analysis): Promise<Payload[]> {
  const { sources, exports, via, transfer, one = false } = request;
  // If the inputs are samples of one payload, all kinds of lines are opened.
  const payloads = await openSources(sources, slots, {
    exports,
    via,
    transfer,
    emit: tools.emit,
    worst: one,
  });
  if (!one) return payloads;
  const recipes = recipesOf(payloads);
  const samples = samplesIn(recipes);
  return payloads
    .filter((one) => one.kind === 'failed' || one.recipe === recipes[0])
    .map((payload) => ({ ...payload, samples }));
}

interface OpenPayload {
  payload: Payload;
  jobs: Job[];
  report: PayloadReport | null;
}

/** Verdicts come before the first measurement: they take milliseconds, and the user is waiting. */
async function analyzePayloads(
  payloads: readonly Payload[],
  slots: readonly GuestSlot[],
  analysis: Analysis,
): Promise<PayloadReport[]> {
  const { request, tools, account } = analysis;
  const all: OpenPayload[] = [];
  const done = new Set<Job>();
  const report = () => {
    for (const one of all)
      if (one.report === null && one.jobs.every((job) => done.has(job))) one.report = reportOf(one, analysis);
  };
  for (const payload of payloads) {
    if (request.signal?.aborted) break;
    all.push({ payload, jobs: await describedJobs(payload, slots, analysis), report: null });
    report();
  }
  if (account.isLimited) await Promise.all(slots.map((slot) => slot.close()));
  await runJobs(
    all.flatMap(({ jobs }) => jobs),
    analysis,
    (job) => {
      done.add(job);
      tools.emit({ type: 'run-done', payload: job.recipe.id, run: job.run });
      report();
    },
  );
  return all.flatMap((one) => one.report ?? []);
}

/** Time that decided jobs leave goes to undecided ones, first to that which needs least, until the budget is spent. */
const runJobs = (jobs: readonly Job[], analysis: Analysis, onDone: (job: Job) => void): Promise<void> =>
  analysis.account.inTurns(jobs, {
    shareOf(job, left, again) {
      if (job.slot.isStopped || (!again && !isToBeMeasured(job, analysis))) return null;
      return analysis.account.next(
        alike(left.length),
        again ? Number.POSITIVE_INFINITY : analysis.request.budgetMs,
      );
    },
    async run(job, ms) {
      const isUndecided = await measureJob(job, analysis, ms);
      if (!isUndecided) onDone(job);
      return isUndecided;
    },
    compare: (a, b) => needsOf(a) - needsOf(b),
  });

const needsOf = ({ run }: Job): number => run.advice?.needs ?? Number.POSITIVE_INFINITY;

/** Messages that were posted with a transfer list only get the verdict: a measurement here would copy all of them. */
function isToBeMeasured(job: Job, { request }: Analysis): boolean {
  if (job.terms.transferring || job.slot.isStopped) return false;
  return request.measure && job.run.status === 'classified' && job.run.error === null;
}

/** @param ms null: no time is left. @returns true if more time may decide it */
async function measureJob(job: Job, analysis: Analysis, ms: number | null): Promise<boolean> {
  const { account, request } = analysis;
  if (ms === null && isToBeMeasured(job, analysis)) {
    // The payload is classified but not measured: this is not a failure of the payload.
    job.run = { ...job.run, error: runError(new ToolError('total-spent')) };
    return false;
  }
  if (ms !== null) {
    const samples = job.sampled.results.length;
    const began = job.tools.now();
    await proveRewrites(job, analysis, ms);
    // A share of one budget for all runs counts its overruns itself.
    const provedMs = account.isLimited ? 0 : job.tools.now() - began;
    await timeRewrites(job, analysis, Math.max(ms / 2, ms - provedMs));
    const isOpen = account.isLimited && job.run.advice?.action === 'unsure';
    if (isOpen && job.sampled.results.length > samples) return true;
  }
  // A job that was never measured does not have details.
  if (job.proven === null) return false;
  for (const phase of DETAILS) await phase(job, analysis, Math.min(request.budgetMs, ms ?? request.budgetMs));
  return false;
}

/** Recorded messages are measured over the channel that they were recorded on. */
const channelsFor = (
  { recorded }: Payload,
  { channels }: AnalyzeRequest,
  runtime: RuntimeName = 'node',
): Channel[] => (recorded?.channel ? [recorded.channel] : (channels ?? [usualChannel(runtime)]));

async function describedJobs(
  payload: Payload,
  slots: readonly GuestSlot[],
  { request, tools, account }: Analysis,
): Promise<Job[]> {
  const jobs: Job[] = [];
  if (payload.kind === 'failed') return jobs;
  const { recipe, recorded, samples = recorded?.samples } = payload;
  const { seed, sender, measure: thorough } = request;
  const transferring = (recorded?.traffic.transfer.listed ?? 0) > 0;
  for (const slot of slots) {
    for (const channel of channelsFor(payload, request, slot.runtime.name)) {
      const job = new Job({ recipe, slot, channel, tools, seed, sender, samples, transferring });
      job.step('describe');
      const { verdict } = await describeJob(job, { thorough });
      const at = { payload: recipe.id, runtime: slot.runtime.spec, channel };
      if (verdict) tools.emit({ type: 'classified', ...at, verdict });
      jobs.push(job);
    }
    // An idle guest would take cycles from measured ones. The guest of the first measured run stays.
    const provesNext = jobs.find(({ run }) => run.status === 'classified')?.slot === slot;
    if (!provesNext && request.measure && !account.isLimited) await slot.close();
  }
  return jobs;
}

function reportOf({ payload, jobs }: OpenPayload, { request, tools }: Analysis): PayloadReport {
  const traffic = payload.recorded ? { traffic: payload.recorded.traffic } : {};
  let report: PayloadReport;
  if (payload.kind === 'failed') {
    const { id, file, error } = payload;
    report = { id, source: { file, export: null }, error: runError(error), ...traffic, runs: [] };
  } else {
    const { id, source, stands } = payload.recipe;
    const lines = stands === undefined ? {} : { stands };
    const runs = [...jobs.map(({ run }) => run), ...missingRuns(request, payload)];
    const steps = stepsOf({ runs, ...traffic });
    report = { id, source, error: null, ...lines, ...traffic, ...(steps.length > 0 && { steps }), runs };
  }
  tools.emit({ type: 'payload-done', payload: report });
  return report;
}

/** Failed runs for missing runtimes. A path that is not a binary is skipped: the runtime is unknown. */
const missingRuns = (request: AnalyzeRequest, payload: Payload): Run[] =>
  request.runtimes.missing.flatMap(({ spec, error }) => {
    const runtime = runtimeOfSpec(spec);
    if (runtime === null) return [];
    return channelsFor(payload, request, runtime.name).map((channel) => ({
      ...emptyRun(runtime, channel),
      error: runError(error),
    }));
  });
