/** How long the next process may take, and how many the budget has room for. */

import type { Measured, Variant } from '../../model/wire/wire.ts';
import { MAX_LOOKS } from '../stats/intervals.ts';
import { median } from '../stats/quantiles.ts';
import { countProcesses, findSamples } from '../stats/variant-samples.ts';

export interface TimeBudget {
  /** ms in all: starts of processes, warm-up and timed rounds. */
  budgetMs: number;
  /** What it may take beyond the budget while it is undecided, ms. */
  extraMs?: number;
  /** Time to start a process and build the payload there, ms. */
  startMs: number;
  /** Estimate of one round trip of the original, ms, where known; keeps slow payloads within the budget. */
  tripMs?: number;
  /** A process measures at least so long: for payloads so slow that few rounds fit, ms. */
  sliceMs?: number;
  /** The budget may grow later: then there is no knowing how many processes there will be. */
  mayGrow?: boolean;
}

export interface Spent {
  /** One for each process that came to its end. */
  results: readonly unknown[];
  /** ms since sampling began, starts of processes included. */
  spentMs: number;
  /** Processes that crashed, timed out or did not start. */
  failures: number;
}

export const MIN_PROCESSES = 3;
const USUAL_PROCESSES = 10;
/** Shorter until there are the least: with quick messages they often decide. */
const FIRST_PROCESSES = 14;
export const QUICK_TRIP_MS = 10;
/** The start of a process takes at most this share (1/n) of its time. */
export const STARTS_PER_PROCESS = 3;

const wholeMs = ({ budgetMs, extraMs = 0 }: TimeBudget): number => budgetMs + extraMs;

/** Processes that the budget has room for, by the time of those so far. */
export function plannedLooks(plan: TimeBudget, { results, spentMs, failures }: Spent): number {
  const done = results.length + failures;
  if (plan.mayGrow || done === 0) return MAX_LOOKS;
  const room = Math.ceil((wholeMs(plan) / spentMs) * done);
  return Math.min(Math.max(room, results.length, MIN_PROCESSES), MAX_LOOKS);
}

/** ms that the next process may take, start included; null when the rest of the budget is too short. */
export function nextProcessMs(
  plan: TimeBudget,
  { results, spentMs, failures }: Spent,
  measuredTripMs: number | null,
): number | null {
  const { budgetMs, startMs, sliceMs = 0 } = plan;
  const trip = measuredTripMs ?? plan.tripMs ?? 0;
  const isFirst = results.length < MIN_PROCESSES && trip <= QUICK_TRIP_MS;
  const processes = isFirst ? FIRST_PROCESSES : USUAL_PROCESSES;
  const short = Math.min(
    wholeMs(plan) / MIN_PROCESSES,
    Math.max(budgetMs / processes, STARTS_PER_PROCESS * startMs),
  );
  const usual = sliceMs > 0 ? Math.max(short, Math.min(wholeMs(plan), sliceMs + startMs)) : short;
  const done = results.length + failures;
  const room = Math.max(usual, 1.5 * startMs);
  if (done === 0) return room;
  const left = wholeMs(plan) - spentMs;
  const costsSoFar = spentMs / done;
  if (left < usual / 2 || left < 1.2 * startMs || left < 0.8 * costsSoFar) return null;
  return left / Math.max(1, Math.round(left / Math.max(room, costsSoFar)));
}

/**
 * As many candidates as fit one round into the slice beside the original, those with the fewest processes first. A payload
 * that takes a second per message cannot be timed in ten variants within five seconds; the others stay unsure.
 *
 * The original takes part in every comparison, so that sqrt(k) times as many messages of it as of each of k candidates
 * give the narrowest intervals (Dunnett 1955): its turns in each round, one where the slice has no room for more.
 *
 * @param usual one round trip of the original, ms
 */
export function fittingVariants(
  results: readonly Measured[],
  open: readonly Variant[],
  sliceMs: number,
  usual: number,
): { candidates: Variant[]; originalTurns: number } {
  // In place is a bonus: it never takes the turn of a comparison that decides.
  const turns = (one: Variant): number =>
    one.mode === 'in-place' ? Number.MAX_SAFE_INTEGER : countProcesses(findSamples(results, one.id));
  let room = sliceMs - usual;
  const chosen = new Set<Variant>();
  for (const one of [...open].sort((a, b) => turns(a) - turns(b))) {
    room -= tripMs(results, one.id) ?? usual;
    if (room < 0 && chosen.size > 0) break;
    chosen.add(one);
  }
  const ofOriginal = Math.max(1, Math.round(Math.sqrt(chosen.size)));
  const originalTurns = (ofOriginal + chosen.size) * usual <= sliceMs ? ofOriginal : 1;
  return { candidates: open.filter((one) => chosen.has(one)), originalTurns };
}

/** Median round trip of a variant, ms; null where it was not timed. */
export function tripMs(results: readonly Measured[], variant: string): number | null {
  const medians = findSamples(results, variant)
    .filter((samples) => samples.length > 0)
    .map(median);
  return medians.length === 0 ? null : median(medians) / 1e6;
}
