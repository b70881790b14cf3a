import { shareOf } from '../../core/sweep/budget.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import { NOT_SAMPLED, type SampledPayload } from '../sample.ts';
import { withMemoryUse } from './memory.ts';
import { refine } from './refine-run.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import type { SizedRecipe, SizedSeries } from './series.ts';
import { SizeCosts } from './size-costs.ts';
import { pointsOf, type SizedPayload, sampleSize } from './size-run.ts';
import type { SweepRun } from './strategies.ts';

/** Share of the budget for timing one size; the rest is for measuring the memory. */
const TIME_SHARE = 0.85;

interface SizedPoint extends SizedRecipe, SizedPayload {
  isLargest: boolean;
}

/**
 * Every size of every series on one runtime over one channel, the smallest first, within `budgetMs`: each gets a share by
 * what it is expected to cost, and what was not used goes to those that come later: sizes near the crossovers, where
 * sizes may be chosen. A size for which too little is left is not measured, and its points say so. Ends early when
 * interrupted; what was measured is kept.
 */
export async function runSweep(
  run: SweepRun,
  series: readonly SizedSeries[],
  budgetMs: number,
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint[]> {
  const began = tools.now();
  const sizes = series.flatMap(({ id: payload, unit, recipes }) =>
    recipes.map((sized): SizedPoint => ({ ...sized, payload, unit, isLargest: sized === recipes.at(-1) })),
  );
  const points: SweepPoint[] = [];
  const costs = new SizeCosts(run.variants.length + 1);
  const refined = run.variants.length > 0 && series.some(({ inSize }) => inSize !== null);
  for (const [at, sized] of sizes.entries()) {
    if (request.signal?.aborted) break;
    const start = tools.now();
    const leftMs = budgetMs - (start - began);
    const cost = costs.of(sized);
    const others = sizes.slice(at + 1).map((one) => costs.of(one));
    const shareMs = shareOf([cost, ...others], leftMs, { refined });
    const sampled =
      shareMs === null
        ? overBudget(cost.messagesMs, leftMs)
        : await sampleSize(run, sized.recipe, { ...cost, budgetMs: shareMs * TIME_SHARE }, request, tools);
    if (sampled.results.length === 0 && request.signal?.aborted) break;
    const timed = pointsOf(sized, run, sampled, request.seed);
    costs.learn(sized, timed);
    // The memory of the largest payload comes before further sizes.
    const untilMs = refined && sized.isLargest ? began + budgetMs : start + (shareMs ?? 0);
    const roomMs = untilMs - tools.now();
    points.push(...(await withMemoryUse(timed, run, sized, roomMs, request, tools)));
  }
  for (const one of series) {
    const coarse = points.filter(({ payload }) => payload === one.id);
    const leftMs = budgetMs - (tools.now() - began);
    points.push(...(await refine(run, one, coarse, costs, leftMs, request, tools)));
  }
  return series.flatMap(({ id }) => bySize(points.filter(({ payload }) => payload === id)));
}

const bySize = (points: SweepPoint[]) => points.sort((a, b) => a.size - b.size);

const seconds = (ms: number): string => `${Math.max(0, ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

function overBudget(needMs: number, leftMs: number): SampledPayload {
  const detail = `it takes about ${seconds(needMs)}, and ${seconds(leftMs)} of the budget are left. Raise --budget, or lower the sizes with --scale`;
  return { ...NOT_SAMPLED, error: new ToolError('measure-failed', { detail }) };
}
