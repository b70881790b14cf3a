import { countedLines } from '../../core/advise/effort.ts';
import { branchCosts, branchesOf, branchVariants } from '../../core/branches/branches.ts';
import type { Run } from '../../model/documents/report.ts';
import { fnv1aHex } from '../../model/fnv1a.ts';
import { payloadShape } from '../../model/report/runs.ts';
import { shownPlan } from '../../model/rules/tried.ts';
import type { BranchBytes } from '../../model/wire/wire.ts';
import { withCodec } from '../codec.ts';
import { askFreshGuest } from '../guest-slot.ts';
import { runError } from '../payloads.ts';
import { sample } from '../sample.ts';
import { emitStep, type RunContext, type Tools } from '../tools.ts';

/** A file system allows 255 bytes for a whole name. */
const MAX_LENGTH = 100;
const ALLOWED = /[^\w.@+-]+/g;
/** Windows reserves these names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * `text` as a part of a file name that is valid on every system: no separator, no leading dot, no device, not too long. A
 * text that had to be changed beyond the `#` of an export gets a hash, so that two ids do not get one name.
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

/** The measured run with what else was asked for. */
export async function withDetails(context: RunContext, run: Run): Promise<Run> {
  const profiled = await withProfile(context, await withBranches(context, withShownPlans(run)));
  const { recipe, tools } = context;
  const date = tools.today?.();
  const told = withCodec({ tool: tools, ...(date === undefined ? {} : { date }) }, recipe, profiled);
  return withPrice(told, tools);
}

/** The run with the price of its advised code. */
async function withPrice(run: Run, { compressedBytes }: Pick<Tools, 'compressedBytes'>): Promise<Run> {
  const { advice } = run;
  const text = advice?.action === 'apply' ? (advice.module ?? advice.code) : null;
  if (advice === null || text === null) return run;
  const gzipBytes = (await compressedBytes?.(text)) ?? null;
  return { ...run, advice: { ...advice, price: { lines: countedLines(text), gzipBytes } } };
}

/** Without the files of this machine in the plans of the user's own rewrites. */
function withShownPlans(run: Run): Run {
  const { trials, advice } = run;
  const untried = advice?.untried?.map((one) => ({ ...one, plan: shownPlan(one.plan) }));
  return {
    ...run,
    trials: trials.map((trial) => ({ ...trial, plan: shownPlan(trial.plan) })),
    advice: advice && { ...advice, ...(untried && { untried }) },
  };
}

/** Time for the branches beyond the budget of the run itself: at most half as much again. */
const BY_PATH_SHARE = 0.5;

/** The run with the cost of each heavy branch, measured by leaving it out, in guest processes of their own. */
async function withBranches(context: RunContext, run: Run): Promise<Run> {
  const { recipe, runtime, channel, request, tools } = context;
  if (run.status !== 'measured' || !request.byPath) return run;
  const payload = payloadShape(run);
  const paths = payload === null ? [] : branchesOf(payload);
  if (paths.length === 0) return { ...run, byPath: [] };
  emitStep(tools, context, 'by-path');
  const bytes = await askBranchBytes(context, paths);
  const plan = {
    ...{ budgetMs: BY_PATH_SHARE * request.budgetMs, seed: request.seed, oneWay: [] },
    variants: branchVariants(paths),
    tripMs: (run.measurement?.roundTrip.median ?? 0) / 1e6,
  };
  const { results } = await sample({ recipe, runtime, channel, plan }, request, tools);
  return { ...run, byPath: branchCosts(paths, results, bytes, request.seed) };
}

async function askBranchBytes(context: RunContext, paths: string[]): Promise<BranchBytes | null> {
  const { recipe, runtime, request, tools } = context;
  try {
    const asked = { type: 'branch-bytes', recipe, paths } as const;
    return await askFreshGuest(asked, runtime, request.timeoutMs, request, tools);
  } catch (error) {
    const text = `${recipe.id} on ${runtime.name}: the bytes of its branches are unknown: ${runError(error).message}`;
    tools.emit({ type: 'warning', text });
    return null;
  }
}

/** A fifth of the budget gives some thousand samples; a larger profile shows no more. */
const PROFILE_SHARE = 0.2;
const MAX_PROFILE_MS = 2000;

/** The run with profiles of both threads, in a guest process of its own: nothing that was timed was profiled. */
async function withProfile(context: RunContext, run: Run): Promise<Run> {
  const { recipe, channel, runtime, request, tools } = context;
  if (run.status !== 'measured' || !request.profile) return run;
  const { folder, shown } = request.profile;
  emitStep(tools, context, 'profile');
  const ms = Math.min(MAX_PROFILE_MS, PROFILE_SHARE * request.budgetMs);
  const asked = { type: 'profile', recipe, channel, ms, folder, name: fileNameOf(context) } as const;
  try {
    const { profile } = await askFreshGuest(asked, runtime, ms + request.timeoutMs, request, tools);
    return { ...run, profile: { ...profile, files: profile.files.map((file) => `${shown}/${file}`) } };
  } catch (error) {
    const missing = [{ what: 'profile', why: runError(error).message }];
    return { ...run, profile: { by: null, files: [], messages: 0, shares: null, top: [], missing } };
  }
}

/** "orders.node-20.20.2"; the channel too where there are several. */
function fileNameOf({ recipe, runtime, channel, request }: RunContext): string {
  const channels = (request.channels?.length ?? 1) > 1 ? [channel] : [];
  return [recipe.id, `${runtime.name}-${runtime.version}`, ...channels].map(fileNamePart).join('.');
}
