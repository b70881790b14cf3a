import { countedLines } from '../../core/advise/effort.ts';
import { branchCosts, branchesOf, branchVariants } from '../../core/branches/branches.ts';
import type { Run } from '../../model/documents/report.ts';
import { fnv1aHex } from '../../model/fnv1a.ts';
import { payloadShape } from '../../model/report/runs.ts';
import { shownPlan } from '../../model/rules/tried.ts';
import type { BranchBytes } from '../../model/wire/wire.ts';
import { withCodec } from '../codec.ts';
import { Job } from '../job/job.ts';
import { runError } from '../job/payloads.ts';
import { sample } from '../job/sample.ts';
import type { Analysis, AnalyzeRequest, Phase } from './request.ts';

/** Maximum length of one part. File systems allow 255 bytes for a whole name. */
const MAX_LENGTH = 100;
const ALLOWED = /[^\w.@+-]+/g;
/** Names that Windows reserves, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * `text` as a part of a file name that is valid on every system: no separator, no leading dot, no device name, not too
 * long. A text that had to be changed beyond the `#` of an export gets a hash, so that two ids do not get one name.
 */
export function fileNamePart(text: string): string {
  const plain = text.replace(/#/g, '-');
  const safe = plain
    .replace(ALLOWED, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(DEVICE, '$&_')
    .slice(0, MAX_LENGTH);
  return safe === plain ? safe : [safe, fnv1aHex(text)].filter((part) => part !== '').join('-');
}

/** Phases after the race: the requested details of a measured run, and the rest of the advice. */
export const DETAILS: readonly Phase[] = [leaveOutBranches, profileThreads, completeAdvice];

/** Time for the branches, beyond the budget of the run itself, as a share of that budget. */
const BY_PATH_SHARE = 0.5;

/** Measures the cost of each heavy branch by leaving it out, in separate guest processes. */
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
  const name = fileNameOf(job, request.channels);
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
function fileNameOf({ recipe, runtime, channel }: Job, all: AnalyzeRequest['channels']): string {
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

/** Removes the file paths from the plans of user rewrites. */
function withShownPlans(run: Run): Run {
  const { trials, advice } = run;
  const untried = advice?.untried?.map((one) => ({ ...one, plan: shownPlan(one.plan) }));
  return {
    ...run,
    trials: trials.map((trial) => ({ ...trial, plan: shownPlan(trial.plan) })),
    advice: advice && { ...advice, ...(untried && { untried }) },
  };
}
