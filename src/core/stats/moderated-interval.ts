import type { ProcessSummary } from './blocks.ts';
import { bootstrapVariance } from './bootstrap-variance.ts';
import type { Random } from './random.ts';
import { studentFactor } from './student.ts';

/**
 * How much processes are expected to vary before any was seen: standard deviation of the log over processes, and how
 * many degrees of freedom that expectation is worth beside the processes that were seen.
 */
export interface Prior {
  spread: number;
  degrees: number;
}

/** One message in one process: nothing was seen of any spread. Wide, and finite because a report is JSON. */
const UNINFORMED: Prior = { spread: 0.5, degrees: 3 };

/** Centre and half width of an interval on the log scale. */
export interface LogInterval {
  centre: number;
  half: number;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean over processes of the variance that each one's own blocks give its centre, and its degrees of freedom. */
function withinProcesses(
  views: readonly ProcessSummary[],
  random: Random,
): { variance: number; degrees: number } {
  const cut = views.filter((view) => view.blocks.length > 1);
  if (cut.length === 0) return { variance: 0, degrees: 0 };
  return {
    variance: meanOf(cut.map((view) => bootstrapVariance(view.blocks, random))),
    degrees: cut.reduce((sum, view) => sum + view.blocks.length - 1, 0),
  };
}

/**
 * Interval of the mean over processes. Processes are the independent repetitions (Kalibera & Jones 2013, "Rigorous
 * Benchmarking in Reasonable Time"), and there are 3 to 8 of them. Resampling so few of them covers far less than it
 * says (Cameron, Gelbach & Miller 2008: use Student's t and a correction), and plain t with two degrees of freedom is
 * four standard errors wide, yet nothing when three processes agree by luck. So the variance over processes is
 * moderated: pooled with what the block bootstrap inside the processes and `expected` let one expect (Smyth 2004,
 * "moderated t"), and t takes the degrees of both. `npm run bench -- statistics` shows the coverage that this gives.
 */
export function moderatedInterval(
  views: readonly ProcessSummary[],
  expected: Prior,
  confidence: number,
  random: Random,
): LogInterval {
  const centre = meanOf(views.map((view) => view.centre));
  const seen = views.length - 1;
  const squares = views.reduce((sum, view) => sum + (view.centre - centre) ** 2, 0);
  const within = withinProcesses(views, random);
  const blind = seen === 0 && within.degrees === 0;
  const prior = blind ? UNINFORMED : expected;
  const priorDegrees = blind ? prior.degrees : Math.min(prior.degrees, within.degrees);
  const degrees = priorDegrees + seen;
  const pooled = (priorDegrees * (within.variance + prior.spread ** 2) + squares) / degrees;
  // A few messages in each process tell no noise; that their medians agree may be luck.
  const variance = priorDegrees === 0 ? Math.max(pooled, prior.spread ** 2) : pooled;
  return { centre, half: studentFactor(confidence, degrees) * Math.sqrt(variance / views.length) };
}
