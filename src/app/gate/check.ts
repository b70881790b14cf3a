import { Account, alike } from '../../core/account.ts';
import { factChanges, factsIn, largestOfKind } from '../../core/gate/baseline.ts';
import { bytesOf, causeOfIncrease, factsOf } from '../../core/gate/baseline-facts.ts';
import { checkReport } from '../../core/gate/check-report.ts';
import { contractResults, untoldBy } from '../../core/gate/contract.ts';
import { type LimitCheck, resultOf, unmeasured, withoutBaseline } from '../../core/gate/limit-check.ts';
import { checkAbsoluteFacts, checkFacts } from '../../core/gate/limits.ts';
import { judgeByLimit, judgeMemoryRatio } from '../../core/gate/ratio.ts';
import {
  alikeIn,
  nameOf,
  uncheckedOf,
  unmatched,
  withRemovals,
  withRemoved,
} from '../../core/gate/unmatched.ts';
import { sharedPart } from '../../core/masking.ts';
import { parsePath } from '../../core/paths.ts';
import { FLOOR, findError, ORIGINAL, ratioToOriginal } from '../../core/stats/variant-samples.ts';
import type { BaselineFacts, Limit } from '../../model/documents/baseline.ts';
import type { CheckReport, LimitResult, Unchecked } from '../../model/documents/check.ts';
import { MEASURED_LIMITS, type NewPolicy } from '../../model/gate/limits.ts';
import { channelRow } from '../../model/names.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import type { CheckEntry } from '../../model/run/check-config.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { describeJob } from '../job/describe.ts';
import { Job } from '../job/job.ts';
import { weigh } from '../job/memory.ts';
import { runError } from '../job/payloads.ts';
import { sample } from '../job/sample.ts';
import type { MeasureTools, Tools } from '../job/tools.ts';
import { inTurns } from '../job/turns.ts';
import { type GateJob, Guests, gather } from './gather.ts';
import type { CheckRequest } from './request.ts';
import { codecResults, remedyResults } from './rewrites.ts';
import { baselineSide, commitSide, compared, type Side, withFacts } from './sides.ts';

// Checks the limits that must be measured: the earlier against the current payload, in the same run.

/** Terms of measuring one payload. */
interface Measuring {
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

async function judgeMeasured(
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

/** Runs the gate: first the facts, which take milliseconds, then the limits that must be measured. */
export async function checkPayloads(
  request: CheckRequest,
  tools: MeasureTools & Pick<Tools, 'version'>,
): Promise<CheckReport> {
  const guests = new Guests(request, tools);
  const account = new Account(tools.now, request.totalMs);
  try {
    const { gathered, failures } = await gather(guests);
    const side = request.base ? await commitSide(request.base, tools) : baselineSide(request);
    if (side.facts === null) leaveOutComparing(gathered, tools);
    const { shard, inputs, contract, newPolicy, removed, selected } = request;
    const { base } = side;
    const seen = gathered.map(({ entry, key }) => ({ id: entry.id, key }));
    const unchecked = uncheckedOf(side.facts, seen, failures, base ? null : selected);
    const { results, comparable } = await judgeEach(gathered, { ...side, unchecked }, guests, account);
    if (contract) results.push(...contractResults(contract, request.configFile, base));
    const report = { tool: { version: tools.version }, shard, inputs, failures };
    const both = { ...report, compared: compared(comparable, side) };
    if (!base) return checkReport({ ...both, results, unchecked });
    const untold = contract ? untoldBy(contract, unchecked) : unchecked;
    const all = withRemovals(results, untold, { file: null, base, level: levelOf(newPolicy) });
    return checkReport({ ...both, base, results: withRemoved(all, removed), unchecked: [] });
  } finally {
    await guests.close();
  }
}

const levelOf = (policy: NewPolicy) => (policy === 'ok' ? 'warn' : 'error');

type CheckedSide = Side & { unchecked: readonly Unchecked[] };

/** Judges each payload. `comparable` excludes payloads that the other side may have but cannot read. */
async function judgeEach(
  gathered: readonly GateJob[],
  side: CheckedSide,
  guests: Guests<CheckRequest>,
  account: Account,
) {
  const { request } = guests;
  const results: LimitResult[] = [];
  const comparable: GateJob[] = [];
  const isTimed = ({ entry }: GateJob) => side.base !== undefined || entry.limits.time !== undefined;
  await inTurns(gathered, {
    account,
    shareOf: (one, left) =>
      isTimed(one) ? account.next(alike(left.filter(isTimed).length), (1 + MORE) * request.budgetMs) : null,
    run: async (one, ms) => {
      const budgetMs = Math.min(ms ?? 0, request.budgetMs);
      const judged = await judge(one, side, { budgetMs, extraMs: (ms ?? 0) - budgetMs }, guests);
      one.timed = timeOf(judged.find(({ limit }) => limit === 'time'));
      const told = judged.filter(({ limit }) => limit !== 'time' || one.entry.limits.time !== undefined);
      told.push(...(await remedyResults(one, request)));
      const isUnreadable = told.some((is) => is.limit === 'baseline' && is.outcome === 'not-measured');
      if (!isUnreadable) comparable.push(one);
      results.push(...told.map((result) => withLine(result, one, guests)));
      return false;
    },
  });
  for (const unit of new Set(gathered.map((one) => one.unit))) {
    const payloads = gathered.filter((one) => one.unit === unit);
    for (const [one, fits] of await codecResults(payloads, request))
      results.push(...fits.map((result) => withLine(result, one, guests)));
  }
  return { results, comparable };
}

function timeOf(result: LimitResult | undefined): GateJob['timed'] {
  if (!result?.ci || result.change === null) return null;
  const { change, ci, samples, processes } = result;
  const sampled = {
    ...(samples !== undefined && { samples }),
    ...(processes !== undefined && { processes }),
  };
  return { change, ci, ...sampled };
}

/** Leaves out the relative limits of a preset if there is nothing to compare with, and notes their names. */
function leaveOutComparing(gathered: readonly GateJob[], { emit }: Pick<Tools, 'emit'>): void {
  const left = new Set<string>();
  for (const one of gathered) {
    const limits = Object.entries(one.entry.limits).filter(([name, { preset, against, level }]) => {
      const isLeft = preset && against && level !== 'off';
      if (isLeft) left.add(name);
      return !isLeft;
    });
    one.entry = { ...one.entry, limits: Object.fromEntries(limits) };
  }
  // A missing `maxNodes` alone is not noted: the user's limits on bytes or class cover most of it.
  if ([...left].some((name) => name !== 'maxNodes')) {
    const text = `not checked, as there is nothing to compare with: ${[...left].join(', ')}. Give --base COMMIT, or write a baseline: clone-prof baseline`;
    emit({ type: 'note', text });
  }
}

/** Number of additional budgets that an undecided limit may take. */
const MORE = 2;

/** Adds the line of the value to a result that did not pass. Only leading keys and indices of the path are followed. */
function withLine(result: LimitResult, { recipe, run }: GateJob, { request }: Guests<CheckRequest>) {
  if (result.outcome === 'passed') return result;
  const path = result.example ?? result.path;
  const shown: (string | number)[] = [];
  for (const step of (path && parsePath(path)) || []) {
    if (step.type === 'key') shown.push(step.key);
    // A pattern of any index stands for the first index.
    else if (step.type === 'index') shown.push(step.index ?? 0);
    else break;
  }
  const placed = { ...result, line: request.lineOf(recipe, shown) };
  return request.keys || run.shape === null ? placed : sharedPart(placed, run.shape);
}

/** Results of one payload on one runtime. */
async function judge(
  one: GateJob,
  side: CheckedSide,
  budget: Pick<Measuring, 'budgetMs' | 'extraMs'>,
  guests: Guests<CheckRequest>,
): Promise<LimitResult[]> {
  const { base } = side;
  const varies = await varianceOf(one, guests);
  const was = factsIn(side.facts, one.entry.id, one.key);
  const facts = factsOf(one.run);
  const isAdded = side.facts !== null && facts !== null && was === null;
  // A large payload may be slower even if its facts are equal.
  if (base && (was?.bytes ?? 0) >= LARGE_BYTES)
    one.entry = { ...one.entry, limits: { time: TOLD_TIME, ...one.entry.limits } };
  const limits = base && was ? withToldTime(one, was) : one.entry.limits;
  const found = withVariance(
    isAdded ? await additionOf(one, facts, side, guests.request) : checkFacts(one.entry, one.run, was),
    varies,
  );
  if (varies === null && !isAdded)
    found.push(...(await judgeMeasured(one, { side, was, limits, ...budget }, guests)));
  return found.map((result) => {
    if (!base || !result.against) return result;
    // The text of a limit on the class only names the other side.
    const written = result.limit === 'class' ? { written: `as in ${base.ref}` } : {};
    return { ...result, against: 'base', ...written };
  });
}

/** The time is measured for the comparison. It is a result only if the config limits it. */
const TOLD_TIME: Limit = { level: 'warn', value: 0.1, against: 'baseline', text: '+10%', preset: true };

/** Bytes of a payload whose round trip takes about a millisecond, at 10 ns per byte. */
const LARGE_BYTES = 100_000;

/** Adds a limit on the time of a payload if its facts changed and the config does not limit the time. */
function withToldTime({ entry: { limits }, run }: GateJob, was: BaselineFacts): CheckEntry['limits'] {
  const isSame = JSON.stringify(factsOf(run)) === JSON.stringify(was);
  return limits.time || isSame ? limits : { ...limits, time: TOLD_TIME };
}

/**
 * Results of a payload that is not on the other side: only absolute limits are checked. Lines of a new shape are
 * compared with the largest payload of their kind, because lines that grew may have lost their name to an added line.
 */
async function additionOf(
  one: GateJob,
  facts: BaselineFacts,
  { base, facts: others, unchecked, absence }: CheckedSide,
  { newPolicy }: CheckRequest,
): Promise<LimitResult[]> {
  const { entry, run, key } = one;
  const { kind, reason } = await absence(one);
  const found = alikeIn(others, unchecked, key, facts);
  const place = { payload: entry.id, runtime: entry.runtime, channel: run.channel, file: entry.input };
  const missing = `not in ${nameOf(base)}`;
  const added = unmatched(
    {
      ...{ ...place, written: `in ${nameOf(base)}` },
      level: kind === 'new' ? 'warn' : levelOf(newPolicy),
      reason: reason === undefined ? missing : `${missing}, ${reason}`,
    },
    found,
    base,
  );
  // A payload that the other side has but cannot read is not new: no policy lets it pass.
  const unread = { level: 'error', outcome: 'not-measured', ...(reason && { reason }) } as const;
  const alike = largestOfKind(others, entry.id, key);
  return [
    kind === 'unread' ? { ...added, ...unread } : added,
    ...(alike ? checkFacts(entry, run, alike) : checkAbsoluteFacts(entry, run)),
  ];
}

/** Calls of a factory, in addition to the calls that describing it takes. */
const CALLS = 5;

/**
 * Describes how the facts of a module's payload vary between calls, or between CI and other machines. Null for data,
 * for pages, which do not have an environment, and if nothing varies.
 */
async function varianceOf({ recipe, run, slot, channel, unit, terms }: GateJob, guests: Guests) {
  const other = guests.elsewhere(unit.spec);
  const facts = factsOf(run);
  if (!isModule(recipe) || other === null || facts === null) return null;
  try {
    const calls = CALLS;
    const asked = { type: 'describe', recipe, channel, confirm: false, calls } as const;
    const { varies = null } = await slot.ask(asked);
    if (varies !== null) return varies;
    const there = new Job({ ...terms, slot: other });
    await describeJob(there, { thorough: true, calls });
    if (there.run.status === 'failed') return `with other variables of CI: ${there.run.error?.message}`;
    if (there.described?.varies != null) return there.described.varies;
    const factsThere = factsOf(there.run)!;
    if (factChanges(facts, factsThere).length === 0) return null;
    // Both sides are repeated in new processes, to exclude effects of earlier payloads.
    await Promise.all([slot.close(), other.close()]);
    const here = await describeJob(new Job(terms), { thorough: true });
    const again = await describeJob(new Job({ ...terms, slot: other }), { thorough: true });
    const [change] = factChanges(factsOf(here) ?? facts, factsOf(again) ?? factsThere);
    if (change === undefined) return null;
    return `with other variables of CI: ${change.what} ${change.to ?? 'none'}, not ${change.from ?? 'none'}`;
  } catch (error) {
    return runError(error).message;
  }
}

/** All limits fail for a payload whose facts vary. */
const withVariance = (results: readonly LimitResult[], varies: string | null): LimitResult[] =>
  results.map((result) =>
    varies === null || result.limit === 'baseline'
      ? result
      : { ...result, outcome: 'failed', actual: null, change: null, path: null, rule: null, varies },
  );
