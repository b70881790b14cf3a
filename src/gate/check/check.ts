/** The check of the gate: facts and measured limits of each payload, compared with the other side. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { describeJob } from '../../app/job/describe.ts';
import { Job, runError, type Tools } from '../../app/job/job.ts';
import { sample, weigh } from '../../app/job/sample.ts';
import { toolsOf, type Work } from '../../app/world/services.ts';
import type { BaselineFacts, Limit } from '../../model/documents/baseline.ts';
import type { LimitResult } from '../../model/documents/check.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { ToolError } from '../../model/errors.ts';
import { type LimitLevel, MEASURED_LIMITS, type NewPolicy } from '../../model/gate/limits.ts';
import { channelRow } from '../../model/names.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { Account, alike } from '../../stats/account.ts';
import { FLOOR, ORIGINAL, RunSamples } from '../../stats/intervals/variant-samples.ts';
import { parsePath } from '../../value/read/paths.ts';
import { sharedPart } from '../../value/shape/masking.ts';
import {
  bytesOf,
  causeOfIncrease,
  factChanges,
  factsIn,
  factsOf,
  largestOfKind,
} from '../compare/baseline.ts';
import { checkReport, missingResults, nameOf, unmatched, withRemoved } from '../compare/check-report.ts';
import { goneResults } from '../compare/demands.ts';
import {
  checkAbsoluteFacts,
  checkFacts,
  failureOf,
  judgeByLimit,
  judgeMemoryRatio,
  type LimitCheck,
  resultOf,
  unmeasured,
  withoutBaseline,
} from '../compare/limits.ts';
import { type CodecWriter, codecResults, codecsOf, remedyResults, triesOf } from './codecs.ts';
import { commitSide } from './commit.ts';
import { askedHere, type CheckQuery, heldConfig, openGate } from './gate-request.ts';
import { lineOfValue } from './payload-files.ts';
import {
  baselineSide,
  compared,
  type GateJob,
  Guests,
  gather,
  runKey,
  type Side,
  withFacts,
} from './sides.ts';

interface Check extends Pick<CheckQuery, 'budgetMs' | 'seed'> {
  keys: boolean;
  guests: Guests;
  side: Side;
  tries: Awaited<ReturnType<typeof triesOf>>;
  codecs: ReturnType<typeof codecsOf>;
}

/**
 * First the facts are checked, which takes milliseconds, then the limits that must be measured.
 * @throws ToolError 'interrupted', 'baseline-missing', or of the config, the baseline or the other commit
 */
export async function checkIn(work: Work, query: CheckQuery, writer: CodecWriter | null = null) {
  const { base = null, budgetMs, totalMs = null, seed } = query;
  const { keys = false, shard = null, allowRemoved = false } = query;
  const found = await askedHere(work, query);
  const other = await (base === null
    ? baselineSide(found, query, work)
    : commitSide(base, found, query, work));
  const { given, pending, gone, formers } = await heldConfig(found, other.demanded, work);
  const gate = await openGate(work, query, given);
  if (base === null && given.config.needsBaseline && !existsSync(gate.baselinePath))
    throw new ToolError('baseline-missing', { file: gate.baselineFile });
  const tries = await triesOf(gate, work);
  const codecs = codecsOf(gate, writer, work);
  const { config, cwd: folder } = gate;
  const tools = toolsOf(work);
  const guests = new Guests(gate, tools);
  const account = new Account(tools.now, totalMs);
  try {
    const { gathered, failures } = await gather(guests);
    const side = await other.open(gate, formers);
    if (side.facts === null) leaveOutComparing(gathered, tools);
    const check = { budgetMs, seed, keys, guests, side, tries, codecs };
    const { results, comparable } = await judgeEach(gathered, check, account);
    if (work.signal.aborted) throw new ToolError('interrupted');
    // A payload without a file is annotated in the config.
    const file = config.file && basename(config.file);
    const { base } = side;
    const terms = { file, level: base ? levelOf(config.new) : 'error' } as const;
    const all = [
      ...results,
      ...missingResults(side, gate.units, gathered, failures, terms),
      ...goneResults([...gone, ...other.gone], base, file),
    ];
    const report = checkReport({
      ...{ tool: { version: tools.version }, shard, failures, ...(base && { base }) },
      pending: pending.map((one) => ({ ...one, file })),
      inputs: { config: gate.configHash, baseline: side.version, baselineFile: config.baseline },
      compared: compared(comparable, side),
      results: withRemoved(all, config.removed, allowRemoved),
    });
    return { report, folder };
  } finally {
    await guests.close();
  }
}

const levelOf = (policy: NewPolicy): LimitLevel => (policy === 'ok' ? 'warn' : 'error');

/** Leaves out the relative limits of a preset if there is nothing to compare with. */
function leaveOutComparing(gathered: readonly GateJob[], { emit }: Pick<Tools, 'emit'>): void {
  const left = new Set<string>();
  for (const one of gathered) {
    const isKept = ([, limit]: [string, Limit]) => !limit.preset || !limit.against || limit.level === 'off';
    const limits = Object.entries(one.entry.limits);
    for (const [name] of limits.filter((limit) => !isKept(limit))) left.add(name);
    one.entry = { ...one.entry, limits: Object.fromEntries(limits.filter(isKept)) };
  }
  const text = `not checked, as there is nothing to compare with: ${[...left].join(', ')}. Give --base COMMIT, or write a baseline: npx clone-prof baseline`;
  // A missing `maxNodes` alone is not noted: the user's limits on bytes or class cover most of it.
  if ([...left].some((name) => name !== 'maxNodes')) emit({ type: 'note', text });
}

/** Number of additional budgets that an undecided limit may take. */
const MORE = 2;

/** `comparable` excludes payloads that the other side may have but cannot read. */
async function judgeEach(gathered: readonly GateJob[], check: Check, account: Account) {
  const { side, tries, codecs, budgetMs } = check;
  const results: LimitResult[] = [];
  const comparable: GateJob[] = [];
  const isTimed = ({ entry }: GateJob) => side.base !== undefined || entry.limits.time !== undefined;
  await account.inTurns(gathered, {
    shareOf: (one, left) =>
      isTimed(one) ? account.next(alike(left.filter(isTimed).length), (1 + MORE) * budgetMs) : null,
    run: async (one, ms) => {
      const judged = await resultsOf(one, check, ms ?? 0);
      one.timed = timeOf(judged.find(({ limit }) => limit === 'time'));
      const told = judged.filter(({ limit }) => limit !== 'time' || one.entry.limits.time !== undefined);
      told.push(...(await remedyResults(one, tries)));
      const isUnreadable = told.some((is) => is.limit === 'baseline' && is.outcome === 'not-measured');
      if (!isUnreadable) comparable.push(one);
      results.push(...told.map((result) => withLine(result, one, check)));
      return false;
    },
  });
  for (const unit of new Set(gathered.map((one) => one.unit))) {
    const payloads = gathered.filter((one) => one.unit === unit);
    for (const [one, fits] of await codecResults(payloads, codecs))
      results.push(...fits.map((result) => withLine(result, one, check)));
  }
  return { results, comparable };
}

function timeOf(result: LimitResult | undefined): GateJob['timed'] {
  if (!result?.ci || result.change === null) return null;
  const { change, ci, samples, processes } = result;
  return {
    change,
    ci,
    ...(samples !== undefined && { samples }),
    ...(processes !== undefined && { processes }),
  };
}

/** Adds the line of the value to a result that did not pass. Only leading keys and indices of the path are followed. */
function withLine(result: LimitResult, { recipe, run }: GateJob, { keys, guests }: Check) {
  if (result.outcome === 'passed') return result;
  const path = result.example ?? result.path;
  const shown: (string | number)[] = [];
  for (const step of (path && parsePath(path)) || []) {
    if (step.type === 'key') shown.push(step.key);
    // A pattern of any index stands for the first index.
    else if (step.type === 'index') shown.push(step.index ?? 0);
    else break;
  }
  const placed = { ...result, line: lineOfValue(recipe, shown, guests.gate.config.folder) };
  return keys || run.shape === null ? placed : sharedPart(placed, run.shape);
}

/** The time is measured for the comparison. It is a result only if the config limits it. */
const TOLD_TIME: Limit = { level: 'warn', value: 0.1, against: 'baseline', text: '+10%', preset: true };

/** Bytes of a payload whose round trip takes about a millisecond, at 10 ns per byte. */
const LARGE_BYTES = 100_000;

/** @param ms time for measuring; the time beyond the budget is for undecided limits */
async function resultsOf(one: GateJob, check: Check, ms: number): Promise<LimitResult[]> {
  const { base, facts: others } = check.side;
  const varies = await varianceOf(one, check.guests);
  const was = factsIn(others, one.id, one.key);
  const isAdded = others !== null && one.facts !== null && was === null;
  // A large payload may be slower even if its facts are equal.
  if (base && (was?.bytes ?? 0) >= LARGE_BYTES)
    one.entry = { ...one.entry, limits: { time: TOLD_TIME, ...one.entry.limits } };
  const found = isAdded
    ? await additionOf(one, check)
    : checkFacts(one.entry, one.run, { was, before: shapeBefore(one, check) });
  const measured = varies === null && !isAdded ? await measuredOf(one, was, check, ms) : [];
  return [...withVariance(found, varies), ...measured].map((result) => {
    if (!base || !result.against) return result;
    // The text of a limit on the class only names the other side.
    const written = result.limit === 'class' ? { written: `as in ${base.ref}` } : {};
    return { ...result, against: 'base', ...written };
  });
}

/** Null with a baseline: it has facts alone. */
const shapeBefore = (one: GateJob, { side }: Check): Shape | null =>
  side.payloads.find((other) => runKey(other) === runKey(one))?.run.shape ?? null;

/** Lines of a new shape are compared with the largest payload of their kind: added lines may have taken their name. */
async function additionOf(one: GateJob, { side, guests }: Check): Promise<LimitResult[]> {
  const { base, facts: others, absence } = side;
  const { entry, run, key } = one;
  const added = unmatched(base, {
    ...{ ...one.place, file: entry.input, written: `in ${nameOf(base)}` },
    ...{ level: levelOf(guests.gate.config.new), reason: `not in ${nameOf(base)}` },
    ...(await absence(one)),
  });
  const largest = largestOfKind(others ?? {}, one.id, key);
  return [added, ...(largest ? checkFacts(entry, run, { was: largest }) : checkAbsoluteFacts(entry, run))];
}

async function measuredOf(one: GateJob, was: BaselineFacts | null, check: Check, ms: number) {
  const { limits } = one.entry;
  // The time of a payload whose facts changed is measured even if the config does not limit it.
  const isTold = check.side.base && was && !limits.time && !one.hasFacts(was);
  const results: LimitResult[] = [];
  for (const name of MEASURED_LIMITS) {
    const limit = isTold && name === 'time' ? TOLD_TIME : limits[name];
    if (!limit || limit.level === 'off') continue;
    const judged = await judgedOf(name, limit, one, was, check, ms);
    if (judged.outcome === 'unsure' && check.guests.gate.config.undecided === 'warn') judged.level = 'warn';
    results.push(resultOf(one.entry, one.run, name, limit, judged));
  }
  return results;
}

async function judgedOf(
  name: (typeof MEASURED_LIMITS)[number],
  limit: Limit,
  one: GateJob,
  was: BaselineFacts | null,
  check: Check,
  ms: number,
): Promise<LimitCheck> {
  const { guests, side } = check;
  const failure = failureOf(one.run);
  if (failure !== null) return unmeasured(failure);
  if (was === null) return withoutBaseline(one.id);
  try {
    const earlier = await side.earlier(one, was, limit);
    if ('outcome' in earlier) return earlier;
    // An idle guest would take cycles and memory from a measured guest.
    await guests.close();
    const sides = { before: earlier, now: withFacts(one) };
    const most = 1 + Number(limit.value);
    const judged =
      name === 'time'
        ? await timeAgainst(one, sides, most, ms, check)
        : await memoryAgainst(one, sides, most);
    return judged.outcome === 'failed'
      ? { ...judged, ...causeOfIncrease(one.run, was, shapeBefore(one, check)) }
      : judged;
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
  ms: number,
  { budgetMs: wantedMs, seed }: Check,
): Promise<LimitCheck> {
  const budgetMs = Math.min(ms, wantedMs);
  if (budgetMs === 0) return unmeasured('the time of --total is used up');
  const variants: Variant[] = [
    FLOOR,
    { ...ORIGINAL, id: 'before' },
    { ...ORIGINAL, id: 'now', mode: 'in-place', recipe: now },
  ];
  const job = new Job({ ...one.terms, recipe: { ...before, id: one.id }, seed });
  const { results, error } = await sample(job, {
    budgetMs,
    extraMs: ms - budgetMs,
    variants,
    limit,
    oneWay: [],
  });
  const samples = new RunSamples(results, seed);
  const ratio = samples.ratio('now', 'before', 1);
  if (ratio !== null) return judgeByLimit(ratio, limit);
  const said = samples.error('now') ?? samples.error('before');
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
  const variants = Object.entries({ before, now }).map(([id, side]): Variant => {
    return { ...ORIGINAL, id, recipe: { ...side, id: one.id } };
  });
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

/** Calls of a factory, in addition to the calls that describing it takes. */
const CALLS = 5;

/** How the facts of a module vary between calls, or between CI and other machines. Null if nothing varies. */
async function varianceOf({ recipe, facts, slot, channel, unit, terms }: GateJob, guests: Guests) {
  const other = guests.elsewhere(unit.spec);
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

const withVariance = (results: readonly LimitResult[], varies: string | null): LimitResult[] =>
  results.map((result) =>
    varies === null || result.limit === 'baseline'
      ? result
      : { ...result, outcome: 'failed', actual: null, change: null, path: null, rule: null, varies },
  );
