import { checkReport } from '../../core/gate/check-report.ts';
import { type Contract, contractResults } from '../../core/gate/contract.ts';
import { uncheckedOf } from '../../core/gate/unmatched.ts';
import { nextShare } from '../../core/measure/total-budget.ts';
import { type PathStep, parsePath } from '../../core/paths.ts';
import type { Baseline } from '../../model/documents/baseline.ts';
import type { CheckInputs, CheckReport, LimitResult, Shard } from '../../model/documents/check.ts';
import type { NewPolicy } from '../../model/gate/check.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { MeasureTools, Tools } from '../tools.ts';
import { type BaseRequest, commitOf, comparisonsOf, gatherBase } from './base.ts';
import { CodecChecks, type CodecFiles } from './codecs.ts';
import { type GateRequest, type Gathered, gather } from './gather.ts';
import { GuestPool } from './guest-pool.ts';
import { isUnreadable, judge } from './judge.ts';
import { withContract } from './looser.ts';
import type { MeasureTerms } from './measured.ts';
import { checkRemedies, type TriesByWord } from './remedies.ts';

export interface CheckRequest extends GateRequest, Omit<MeasureTerms, 'extraMs'> {
  baseline: Baseline | null;
  /** Compares with another commit instead of the baseline. */
  base: BaseRequest | null;
  newPolicy: NewPolicy;
  /** What the config demands less than when the baseline was accepted. */
  contract: Contract | null;
  /** For all limits together; each on time gets at most `budgetMs`. Null: no limit. */
  totalMs: number | null;
  shard: Shard | null;
  inputs: CheckInputs;
  /** Those that `remedies` of the entries name. */
  tries: TriesByWord;
  /** Those that `codec` of the entries names. */
  codecs: CodecFiles;
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
  const { selected, shard, inputs, newPolicy } = request;
  const slots = new GuestPool(request, tools);
  const codecs = new CodecChecks(request.codecs, request);
  const began = tools.now();
  try {
    const { gathered, failures } = await gather(request, slots, tools);
    const before = request.base && (await gatherBase(request.base, tools));
    const baseline = before ? before.facts : request.baseline;
    const base = request.base ? commitOf(request.base) : undefined;
    const seen = gathered.map(({ entry, key }) => ({ id: entry.id, key }));
    const unchecked = uncheckedOf(baseline, seen, failures, before ? null : selected);
    const results: LimitResult[] = [];
    const times = new Map<Gathered, LimitResult>();
    const comparable: Gathered[] = [];
    for (const [i, one] of gathered.entries()) {
      const terms = { baseline, base, policy: request.base?.newPolicy ?? newPolicy, before };
      const timed = gathered.slice(i).filter(({ entry }) => before !== null || entry.limits.time);
      const within = { ...request, ...nextBudget(request, tools.now() - began, timed.length) };
      const judged = (await judge(one, terms, unchecked, slots, within, tools)).filter((result) => {
        if (result.limit === 'time') times.set(one, result);
        return result.limit !== 'time' || one.entry.limits.time !== undefined;
      });
      judged.push(...(await checkRemedies(one, request.tries, request)));
      judged.push(...(await codecs.results(one, gathered)));
      if (!judged.some(isUnreadable)) comparable.push(one);
      results.push(...(await Promise.all(judged.map((result) => withLine(result, one, request)))));
    }
    const report = { tool: { version: tools.version }, shard, inputs, failures };
    if (request.contract) results.push(...contractResults(request.contract, base));
    if (!base || !before) return checkReport({ ...report, results, unchecked });
    const all = withContract(results, unchecked, request.base!);
    const compared = comparisonsOf(comparable, before, times);
    return checkReport({ ...report, base, compared, results: all, unchecked: [] });
  } finally {
    await slots.close();
  }
}

/** An undecided limit may take so many budgets more. */
const MORE = 2;

/** The budget of the next limit on time, 0 when none is left; and what may be added where it is undecided. */
function nextBudget(
  { totalMs, budgetMs }: Pick<CheckRequest, 'totalMs' | 'budgetMs'>,
  spentMs: number,
  runs: number,
): Pick<MeasureTerms, 'budgetMs' | 'extraMs'> {
  if (totalMs === null) return { budgetMs, extraMs: MORE * budgetMs };
  const share = { leftMs: totalMs - spentMs, runs: Math.max(1, runs), overheadMs: 0 };
  const ownMs = nextShare({ ...share, mostMs: budgetMs }) ?? 0;
  const mostMs = nextShare({ ...share, mostMs: (1 + MORE) * budgetMs }) ?? 0;
  return { budgetMs: ownMs, extraMs: mostMs - ownMs };
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
function fileSteps(steps: readonly PathStep[]): FileStep[] {
  const shown: FileStep[] = [];
  for (const step of steps) {
    if (step.type === 'key') shown.push(step.key);
    else if (step.type === 'index') shown.push(step.index ?? 0);
    else break;
  }
  return shown;
}
