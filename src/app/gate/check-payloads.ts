import { checkReport } from '../../core/gate/check-report.ts';
import { contractResults, untoldBy } from '../../core/gate/contract.ts';
import { uncheckedOf, withRemovals } from '../../core/gate/unmatched.ts';
import { nextShare } from '../../core/measure/total-budget.ts';
import { parsePath } from '../../core/paths.ts';
import type { CheckReport, LimitResult } from '../../model/documents/check.ts';
import type { MeasureTools, Tools } from '../tools.ts';
import { comparisonsOf, gatherBase } from './base.ts';
import { type Gathered, gather } from './gather.ts';
import { Guests } from './guests.ts';
import { judge } from './judge.ts';
import type { MeasureBudget } from './measured.ts';
import type { CheckRequest } from './request.ts';
import { RewriteChecks } from './rewrites.ts';

/** The gate: facts first, which take milliseconds; then the limits that must be measured. */
export async function checkPayloads(
  request: CheckRequest,
  tools: MeasureTools & Pick<Tools, 'version'>,
): Promise<CheckReport> {
  const guests = new Guests(request, tools);
  const rewrites = new RewriteChecks(guests);
  const began = tools.now();
  try {
    const { gathered, failures } = await gather(guests);
    const before = request.base && (await gatherBase(request.base, tools));
    const baseline = before ? before.facts : request.baseline;
    const base = request.base ? { ref: request.base.ref, commit: request.base.commit } : undefined;
    const seen = gathered.map(({ entry, key }) => ({ id: entry.id, key }));
    const unchecked = uncheckedOf(baseline, seen, failures, before ? null : request.selected);
    const policy = request.base?.newPolicy ?? request.newPolicy;
    const reference = { baseline, base, policy, before, unchecked };
    const results: LimitResult[] = [];
    const times = new Map<Gathered, LimitResult>();
    const comparable: Gathered[] = [];
    for (const [i, one] of gathered.entries()) {
      const timed = gathered.slice(i).filter(({ entry }) => before !== null || entry.limits.time);
      const budget = nextBudget(guests, tools.now() - began, timed.length);
      const judged = (await judge(one, reference, budget, guests)).filter((result) => {
        if (result.limit === 'time') times.set(one, result);
        return result.limit !== 'time' || one.entry.limits.time !== undefined;
      });
      judged.push(...(await rewrites.results(one, gathered)));
      const isUnreadable = judged.some((is) => is.limit === 'baseline' && is.outcome === 'not-measured');
      if (!isUnreadable) comparable.push(one);
      results.push(...(await Promise.all(judged.map((result) => withLine(result, one, guests)))));
    }
    const { shard, inputs } = request;
    const contract = request.base?.contract ?? request.contract;
    if (contract) results.push(...contractResults(contract, base));
    const report = { tool: { version: tools.version }, shard, inputs, failures };
    if (!before || !base || !contract) return checkReport({ ...report, results, unchecked });
    const compared = comparisonsOf(comparable, before, times);
    const level = policy === 'ok' ? 'warn' : 'error';
    const all = withRemovals(results, untoldBy(contract, unchecked), { file: null, base, level });
    return checkReport({ ...report, base, compared, results: all, unchecked: [] });
  } finally {
    await guests.close();
  }
}

/** An undecided limit may take so many budgets more. */
const MORE = 2;

/** The budget of the next limit on time, 0 when none is left; and what may be added where it is undecided. */
function nextBudget({ request }: Guests<CheckRequest>, spentMs: number, runs: number): MeasureBudget {
  const { totalMs, budgetMs } = request;
  if (totalMs === null) return { budgetMs, extraMs: MORE * budgetMs };
  const share = { leftMs: totalMs - spentMs, runs: Math.max(1, runs), overheadMs: 0 };
  const ownMs = nextShare({ ...share, mostMs: budgetMs }) ?? 0;
  const mostMs = nextShare({ ...share, mostMs: (1 + MORE) * budgetMs }) ?? 0;
  return { budgetMs: ownMs, extraMs: mostMs - ownMs };
}

/** A result that did not pass gets the line of its value: that of keys and indices, as far as a file has them. */
async function withLine(result: LimitResult, { recipe }: Gathered, { request }: Guests<CheckRequest>) {
  if (result.outcome === 'passed') return result;
  const path = result.example ?? result.path;
  const shown: (string | number)[] = [];
  for (const step of (path && parsePath(path)) || []) {
    if (step.type === 'key') shown.push(step.key);
    // Any index means the first.
    else if (step.type === 'index') shown.push(step.index ?? 0);
    else break;
  }
  return { ...result, line: await request.lineOf(recipe, shown) };
}
