import { refinedShareOf } from '../../core/sweep/budget.ts';
import { RAW } from '../../core/sweep/crossovers.ts';
import { nextSize } from '../../core/sweep/refine.ts';
import type { SweepPoint } from '../../model/documents/sweep.ts';
import type { SweepRequest, SweepTools } from './request.ts';
import type { SizedSeries } from './series.ts';
import type { SizeCosts } from './size-costs.ts';
import { pointsOf, sampleSize } from './size-run.ts';
import type { SweepRun } from './strategies.ts';

/**
 * Points of sizes near the crossovers of one series, until these are known or `budgetMs` is spent. Only the strategies
 * that cross there are timed.
 *
 * @param coarse all points of the series so far
 */
export async function refine(
  run: SweepRun,
  { id: payload, unit, grain, inSize }: SizedSeries,
  coarse: readonly SweepPoint[],
  costs: SizeCosts,
  budgetMs: number,
  request: SweepRequest,
  tools: SweepTools,
): Promise<SweepPoint[]> {
  const began = tools.now();
  const points: SweepPoint[] = [];
  while (inSize !== null && !request.signal?.aborted) {
    const next = nextSize(coarse, points, { grain, seed: request.seed });
    if (next === null) break;
    const sized = { ...inSize(next.size), payload, unit };
    const cost = costs.of(sized);
    const shareMs = refinedShareOf(cost, next.left, budgetMs - (tools.now() - began));
    if (shareMs === null) break;
    const terms = { budgetMs: shareMs, sliceMs: cost.sliceMs, only: next.strategies };
    const sampled = await sampleSize(run, sized.recipe, terms, request, tools);
    if (sampled.results.length === 0 && request.signal?.aborted) break;
    const timed = [RAW, ...next.strategies];
    points.push(
      ...pointsOf(sized, run, sampled, request.seed).filter(({ strategy }) => timed.includes(strategy)),
    );
  }
  return points;
}
