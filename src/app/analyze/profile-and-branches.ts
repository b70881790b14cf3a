/** What a run is asked for beyond its verdict and times: profiles of both threads, and the cost of each branch. */
import { branchCosts, branchesOf, branchVariants } from '../../core/branches/branches.ts';
import { fileNamePart } from '../../core/profile/file-name.ts';
import type { BranchBytes, Profile } from '../../model/profile.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { Run } from '../../model/report.ts';
import type { Guest } from '../../model/runtime.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { runError } from '../payloads.ts';
import { sample } from '../sample.ts';
import type { AnalyzeRequest, Tools } from '../tools.ts';

/** Each in guest processes of its own, after the timing: nothing that was measured was profiled. */
export async function withProfileAndBranches(
  run: Run,
  recipe: Recipe,
  slot: GuestSlot,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Run> {
  if (run.status !== 'measured') return run;
  const asking: Asking = { recipe, run, slot, request, tools };
  const byPath = request.byPath ? { byPath: await byPathOf(asking) } : {};
  const profile = request.profile ? { profile: await profileOf(asking, request.profile) } : {};
  return { ...run, ...byPath, ...profile };
}

interface Asking {
  recipe: Recipe;
  run: Run;
  slot: GuestSlot;
  request: AnalyzeRequest;
  tools: Tools;
}

/** A fifth of the budget profiles some thousand samples, and a large profile helps nobody. */
const PROFILE_SHARE = 0.2;
const MOST_PROFILE_MS = 2000;

async function profileOf(asking: Asking, { folder, shown }: ProfileFolder): Promise<Profile> {
  const { recipe, run, request } = asking;
  emitStep(asking, 'profile');
  const ms = Math.min(MOST_PROFILE_MS, PROFILE_SHARE * request.budgetMs);
  try {
    const { profile } = await inOwnGuest(asking, (guest) =>
      guest.ask(
        {
          type: 'profile',
          recipe,
          channel: run.channel,
          ms,
          folder,
          name: fileNameOf(recipe, run, request.channels),
        },
        { deadlineMs: ms + request.timeoutMs },
      ),
    );
    return { ...profile, files: profile.files.map((file) => `${shown}/${file}`) };
  } catch (error) {
    const missing = [{ what: 'profile', why: runError(error).message }];
    return { by: null, files: [], messages: 0, shares: null, top: [], missing };
  }
}

type ProfileFolder = NonNullable<AnalyzeRequest['profile']>;

/** "orders.node-20.20.2"; the channel too where there are several. */
function fileNameOf({ id }: Recipe, { runtime, channel }: Run, channels: readonly string[]): string {
  const parts = [id, `${runtime.name}-${runtime.version}`, ...(channels.length > 1 ? [channel] : [])];
  return parts.map(fileNamePart).join('.');
}

/** Time for the branches beside the budget of the run itself: at most half as much again. */
const BY_PATH_SHARE = 0.5;

async function byPathOf(asking: Asking): Promise<NonNullable<Run['byPath']>> {
  const { recipe, run, slot, request, tools } = asking;
  const paths = run.shape === null ? [] : branchesOf(run.shape);
  if (paths.length === 0) return [];
  emitStep(asking, 'by-path');
  const bytes = await bytesOf(asking, paths);
  const plan = {
    budgetMs: BY_PATH_SHARE * request.budgetMs,
    variants: branchVariants(paths),
    seed: request.seed,
    tripMs: (run.measurement?.roundTrip.median ?? 0) / 1e6,
  };
  const { runtime } = slot;
  const { results } = await sample({ recipe, runtime, channel: run.channel, plan }, request, tools);
  return branchCosts(paths, results, bytes, request.seed);
}

async function bytesOf(asking: Asking, paths: string[]): Promise<BranchBytes | null> {
  const { recipe, request, tools, run } = asking;
  try {
    return await inOwnGuest(asking, (guest) =>
      guest.ask({ type: 'branch-bytes', recipe, paths }, { deadlineMs: request.timeoutMs }),
    );
  } catch (error) {
    const where = `${recipe.id} on ${run.runtime.name}`;
    tools.emit({
      type: 'warning',
      text: `${where}: the bytes of its branches are unknown: ${runError(error).message}`,
    });
    return null;
  }
}

async function inOwnGuest<T>(
  { slot, request, tools }: Asking,
  work: (guest: Guest) => Promise<T>,
): Promise<T> {
  const { timeoutMs, cwd, signal } = request;
  const guest = await tools.driver.start(slot.runtime, { timeoutMs, cwd, signal });
  try {
    return await work(guest);
  } finally {
    await guest.close();
  }
}

function emitStep({ recipe, run, slot, tools }: Asking, step: 'profile' | 'by-path'): void {
  const at = { payload: recipe.id, runtime: slot.runtime.spec, channel: run.channel };
  tools.emit({ type: 'step', ...at, step, done: 0, of: 1 });
}
