import { branchCosts, branchesOf, branchVariants } from '../../core/branches/branches.ts';
import type { Run } from '../../model/documents/report.ts';
import { payloadShape } from '../../model/report/runs.ts';
import type { BranchBytes } from '../../model/wire/profiled.ts';
import { askFreshGuest } from '../fresh-guest.ts';
import { runError } from '../payloads.ts';
import { sample } from '../sample.ts';
import { emitStep } from '../tools.ts';
import type { RunContext } from './run-context.ts';

/** Time for the branches beyond the budget of the run itself: at most half as much again. */
const BY_PATH_SHARE = 0.5;

/** The run with the cost of each heavy branch, measured by leaving it out, in guest processes of their own. */
export async function withBranches(context: RunContext, run: Run): Promise<Run> {
  if (run.status !== 'measured' || !context.request.byPath) return run;
  return { ...run, byPath: await byPathOf(context, run) };
}

async function byPathOf(context: RunContext, run: Run): Promise<NonNullable<Run['byPath']>> {
  const { recipe, runtime, channel, request, tools } = context;
  const payload = payloadShape(run);
  const paths = payload === null ? [] : branchesOf(payload);
  if (paths.length === 0) return [];
  emitStep(tools, context, 'by-path');
  const bytes = await askBranchBytes(context, paths);
  const plan = {
    budgetMs: BY_PATH_SHARE * request.budgetMs,
    variants: branchVariants(paths),
    seed: request.seed,
    oneWay: [],
    tripMs: (run.measurement?.roundTrip.median ?? 0) / 1e6,
  };
  const { results } = await sample({ recipe, runtime, channel, plan }, request, tools);
  return branchCosts(paths, results, bytes, request.seed);
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
