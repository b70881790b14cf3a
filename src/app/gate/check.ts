import { factsIn } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import { checkReport } from '../../core/gate/check-report.ts';
import { checkFacts } from '../../core/gate/limits.ts';
import { uncheckedOf, unmatchedAddition } from '../../core/gate/unmatched.ts';
import { parsePath, type Step } from '../../core/paths.ts';
import type { Baseline } from '../../model/baseline.ts';
import type {
  CheckInputs,
  CheckReport,
  LimitResult,
  NewPolicy,
  Shard,
  Unchecked,
} from '../../model/check.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { MeasureTools, Tools } from '../tools.ts';
import { type GateRequest, type Gathered, GuestPool, gather } from './gather.ts';
import { judgeMeasured, type MeasureTerms } from './measured.ts';

export interface CheckRequest extends GateRequest, MeasureTerms {
  baseline: Baseline | null;
  newPolicy: NewPolicy;
  shard: Shard | null;
  inputs: CheckInputs;
  /** Line of the payload's file where the value at these steps begins; null when it is not known. */
  lineOf: (recipe: Recipe, steps: readonly FileStep[]) => Promise<number | null>;
}

/** A key, or an index of an array. */
type FileStep = string | number;

/** The gate: facts first, which take milliseconds; then the limits that must be measured. */
export async function check(
  request: CheckRequest,
  tools: MeasureTools & Pick<Tools, 'version'>,
): Promise<CheckReport> {
  const { baseline, selected, shard, inputs } = request;
  const slots = new GuestPool(request, tools);
  try {
    const { gathered, failures } = await gather(request, slots, tools);
    const seen = gathered.map(({ entry, key }) => ({ id: entry.id, key }));
    const unchecked = uncheckedOf(baseline, seen, failures, selected);
    const results: LimitResult[] = [];
    for (const one of gathered) {
      const judged =
        additionOf(one, request, unchecked) ??
        checkFacts(one.entry, one.run, factsIn(baseline, one.entry.id, one.key));
      judged.push(...(await judgeMeasured(one, baseline, slots, request, tools)));
      results.push(...(await Promise.all(judged.map((result) => withLine(result, one, request)))));
    }
    const tool = { version: tools.version };
    return checkReport({ tool, shard, inputs, results, failures, unchecked });
  } finally {
    await slots.close();
  }
}

/** The results of a payload that an existing baseline does not hold: only limits that need none are checked. */
function additionOf(
  { entry, run, key }: Gathered,
  { baseline, newPolicy }: CheckRequest,
  unchecked: readonly Unchecked[],
): LimitResult[] | null {
  const facts = factsOf(run);
  if (baseline === null || facts === null || factsIn(baseline, entry.id, key) !== null) return null;
  const added = { channel: run.channel, key, facts };
  const limits = Object.fromEntries(Object.entries(entry.limits).filter(([, { against }]) => !against));
  return [
    unmatchedAddition(entry, added, baseline, unchecked, newPolicy),
    ...checkFacts({ ...entry, limits }, run, null),
  ];
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
