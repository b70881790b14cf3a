import { factsIn } from '../../core/gate/baseline.ts';
import { checkReport } from '../../core/gate/check-report.ts';
import { checkFacts } from '../../core/gate/limits.ts';
import { parsePath, type Step } from '../../core/paths.ts';
import type { Baseline, CheckReport, LimitResult } from '../../model/check.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { MeasureTools } from '../tools.ts';
import { type GateRequest, type Gathered, GuestPool, gather } from './gather.ts';
import { judgeMeasured, type MeasureTerms } from './measured.ts';

export interface CheckRequest extends GateRequest, MeasureTerms {
  baseline: Baseline | null;
  /** Line of the payload's file where the value at these steps begins; null when it is not known. */
  lineOf: (recipe: Recipe, steps: readonly FileStep[]) => Promise<number | null>;
}

/** A key, or an index of an array. */
type FileStep = string | number;

/** The gate: facts first, which take milliseconds; then the limits that must be measured. */
export async function check(request: CheckRequest, tools: MeasureTools): Promise<CheckReport> {
  const slots = new GuestPool(request, tools);
  try {
    const { gathered, failures } = await gather(request, slots, tools);
    const results: LimitResult[] = [];
    for (const one of gathered) {
      const was = factsIn(request.baseline, one.entry.id, one.key);
      const judged = checkFacts(one.entry, one.run, was);
      judged.push(...(await judgeMeasured(one, request.baseline, slots, request, tools)));
      results.push(...(await Promise.all(judged.map((result) => withLine(result, one, request)))));
    }
    return checkReport(results, failures);
  } finally {
    await slots.close();
  }
}

/** A result that did not pass gets the line of its value. */
async function withLine(
  result: LimitResult,
  { recipe }: Gathered,
  { lineOf }: CheckRequest,
): Promise<LimitResult> {
  if (result.outcome === 'passed') return result;
  const path = result.example ?? result.path;
  const line = await lineOf(recipe, fileSteps((path && parsePath(path)) || []));
  return { ...result, line };
}

/** Keys and indices, as far as a file has them; any index means the first. */
function fileSteps(steps: readonly Step[]): FileStep[] {
  const shown: FileStep[] = [];
  for (const step of steps) {
    if (step.type === 'key') shown.push(step.key);
    else if (step.type === 'index') shown.push(step.index ?? 0);
    else break;
  }
  return shown;
}
