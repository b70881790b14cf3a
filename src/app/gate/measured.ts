/** Checks the limits that must be measured: the earlier against the current payload, in the same run. */
import { bytesOf, causeOfIncrease } from '../../core/gate/baseline-facts.ts';
import { type LimitCheck, resultOf, unmeasured, withoutBaseline } from '../../core/gate/limit-check.ts';
import { judgeByLimit, judgeMemoryRatio } from '../../core/gate/ratio.ts';
import { FLOOR, findError, ORIGINAL, ratioToOriginal } from '../../core/stats/variant-samples.ts';
import type { BaselineFacts, Limit } from '../../model/documents/baseline.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import type { CheckEntry } from '../../model/documents/config.ts';
import { MEASURED_LIMITS } from '../../model/gate/limits.ts';
import { channelRow } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { Job } from '../job/job.ts';
import { weigh } from '../job/memory.ts';
import { runError } from '../job/payloads.ts';
import { sample } from '../job/sample.ts';
import type { GateJob, Guests } from './gather.ts';
import type { CheckRequest } from './request.ts';
import { type Side, withFacts } from './sides.ts';

/** Terms of measuring one payload. */
export interface Measuring {
  side: Side;
  /** Facts of the payload on that side; null if that side does not have it. */
  was: BaselineFacts | null;
  /** Limits of the entry, and possibly an added limit on time. */
  limits: CheckEntry['limits'];
  /** Time in ms per payload and runtime; 0: the total time is used up. */
  budgetMs: number;
  /** Additional time in ms while the limit is within the interval. */
  extraMs: number;
}

export async function judgeMeasured(
  one: GateJob,
  terms: Measuring,
  guests: Guests<CheckRequest>,
): Promise<LimitResult[]> {
  const results: LimitResult[] = [];
  for (const name of MEASURED_LIMITS) {
    const limit = terms.limits[name];
    if (!limit || limit.level === 'off') continue;
    const judged = await judgeOne(name, limit, one, terms, guests);
    if (judged.outcome === 'unsure' && guests.request.undecided === 'warn') judged.level = 'warn';
    results.push(resultOf(one.entry, one.run, name, limit, judged));
  }
  return results;
}

async function judgeOne(
  name: (typeof MEASURED_LIMITS)[number],
  limit: Limit,
  one: GateJob,
  { side, was, ...budget }: Measuring,
  guests: Guests<CheckRequest>,
): Promise<LimitCheck> {
  const { entry, run } = one;
  if (run.status === 'failed') return unmeasured(run.error?.message ?? 'the run failed');
  if (was === null) return withoutBaseline(entry.id);
  try {
    const earlier = await side.earlier(one, was, limit);
    if ('judged' in earlier) return earlier.judged;
    // An idle guest would take cycles and memory from a measured guest.
    await guests.close();
    const sides = { before: earlier.recipe, now: withFacts(one) };
    const most = 1 + Number(limit.value);
    const judged =
      name === 'time'
        ? await timeAgainst(one, sides, most, budget, guests)
        : await memoryAgainst(one, sides, most);
    return judged.outcome === 'failed' ? { ...judged, ...causeOfIncrease(run, was) } : judged;
  } catch (error) {
    return unmeasured(runError(error).message);
  }
}

type Sides = Record<'before' | 'now', Recipe>;

/** Times both sides interleaved in the same processes, so that load of the machine affects both. */
async function timeAgainst(
  one: GateJob,
  { before, now }: Sides,
  limit: number,
  budget: Pick<Measuring, 'budgetMs' | 'extraMs'>,
  { request }: Guests<CheckRequest>,
): Promise<LimitCheck> {
  const { budgetMs, extraMs } = budget;
  if (budgetMs === 0) return unmeasured('the time of --total is used up');
  const { seed } = request;
  const variants: Variant[] = [
    FLOOR,
    { ...ORIGINAL, id: 'before' },
    { ...ORIGINAL, id: 'now', mode: 'in-place', recipe: now },
  ];
  const job = new Job({ ...one.terms, recipe: { ...before, id: one.id }, seed });
  const { results, error, spentMs } = await sample(job, { budgetMs, extraMs, variants, limit, oneWay: [] });
  const ratio = ratioToOriginal(results, 'before', 'now', seed, 1);
  if (ratio !== null) return judgeByLimit(ratio, limit, spentMs);
  const said = findError(results, 'now') ?? findError(results, 'before');
  return unmeasured(said ?? (error ? runError(error).message : 'not enough time'));
}

const PROCESSES = 3;
/** Assumed nanoseconds per byte of a round trip, as a first estimate. */
const NS_A_BYTE = 10;

/** Weighs both sides in turns, each time in a separate process with the same number of messages in flight. */
async function memoryAgainst(one: GateJob, { before, now }: Sides, limit: number): Promise<LimitCheck> {
  if (channelRow(one.channel).elsewhere) return unmeasured('memory cannot be attributed between processes');
  const bytes = bytesOf(one.run) ?? 0;
  const facts = { bytes, tripMs: (bytes * NS_A_BYTE) / 1e6 };
  const variants = [before, now].map(
    (side, at): Variant => ({
      ...ORIGINAL,
      id: at === 0 ? 'before' : 'now',
      recipe: { ...side, id: one.id },
    }),
  );
  const uses = await weigh(one, {
    variants: variants.map((variant) => ({ variant, ...facts })),
    processes: PROCESSES,
    roomMs: () => Number.POSITIVE_INFINITY,
    onError(_, error) {
      throw error;
    },
  });
  const [old = [], current = []] = variants.map((variant) => uses.get(variant));
  return judgeMemoryRatio(old, current, limit) ?? unmeasured('its memory was not measured');
}
