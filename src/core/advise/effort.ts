import type { Plan } from '../../model/documents/trial.ts';
import { NO_DIFFERENCE } from '../stats/decision.ts';

/** Code of more lines than this, or a cost beside time, is advised only for a gain of more than 15 %. */
const FEW_LINES = 20;
const WORTH_AN_EFFORT = 0.85;

/** The ratio of times from which on the effort is worth it. @param costs beside time: "the sender loses what is transferred" */
export const worthFrom = ({ lines, costs }: { lines: number; costs: readonly string[] }): number =>
  lines > FEW_LINES || costs.length > 0 ? WORTH_AN_EFFORT : NO_DIFFERENCE.from;

/** A file of its own, to be read and kept: advised only for a gain of a quarter; less is told as available. */
const MANY_LINES = 60;
const WORTH_A_FILE = 0.75;

/** As `worthFrom`, of what is advised. Races go on without it, because an available gain is told too. */
export const advisedFrom = (effort: { lines: number; costs: readonly string[] }): number =>
  effort.lines > MANY_LINES ? WORTH_A_FILE : worthFrom(effort);

/** Lines that a program has to take over, without blank ones. */
export function countLines(code: { sender: string; receiver: string } | null): number {
  return code === null ? 0 : countedLines(`${code.sender}\n${code.receiver}`);
}

/** Without blank lines. */
export const countedLines = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '').length;

type Planned = { remedy: string | null; plan: Plan | null };

/**
 * Orders rewrites from the least to the most that a program has to change; a user's own, which is in no list, comes last.
 * Between two plans of one remedy, the one for the outer path comes first.
 */
export function bySimplicity(simplestFirst: readonly string[]) {
  const rankOf = ({ remedy }: Planned): number => {
    const rank = simplestFirst.indexOf(remedy ?? '');
    return rank < 0 ? simplestFirst.length : rank;
  };
  return (a: Planned, b: Planned): number =>
    rankOf(a) - rankOf(b) || (a.plan?.path.length ?? 0) - (b.plan?.path.length ?? 0);
}
