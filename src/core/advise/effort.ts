import type { Plan } from '../../model/documents/trial.ts';
import { NO_DIFFERENCE } from '../stats/decision.ts';

/** Maximum lines of code that are little effort. More lines, or other costs, need a gain of more than 15 %. */
const FEW_LINES = 20;
const WORTH_AN_EFFORT = 0.85;

/** Maximum ratio of times that is worth the effort. @param costs other costs: "the sender loses what is transferred" */
export const worthFrom = ({ lines, costs }: { lines: number; costs: readonly string[] }): number =>
  lines > FEW_LINES || costs.length > 0 ? WORTH_AN_EFFORT : NO_DIFFERENCE.from;

/** Maximum lines of small code. More lines need a separate file: advised only for a gain of at least a quarter. */
const MANY_LINES = 60;
const WORTH_A_FILE = 0.75;

/** Maximum ratio of advised rewrites. Races use `worthFrom` instead, because available gains are reported too. */
export const advisedFrom = (effort: { lines: number; costs: readonly string[] }): number =>
  effort.lines > MANY_LINES ? WORTH_A_FILE : worthFrom(effort);

/** Counts the lines that a program has to take over, without blank lines. */
export function countLines(code: { sender: string; receiver: string } | null): number {
  return code === null ? 0 : countedLines(`${code.sender}\n${code.receiver}`);
}

/** Counts the lines that are not blank. */
export const countedLines = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '').length;

type Planned = { remedy: string | null; plan: Plan | null };

/**
 * Orders rewrites by how much a program has to change, least first; the user's rewrites, which are not listed, come
 * last. If two plans have the same remedy, the plan for the outer path comes first.
 */
export function bySimplicity(simplestFirst: readonly string[]) {
  const rankOf = ({ remedy }: Planned): number => {
    const rank = simplestFirst.indexOf(remedy ?? '');
    return rank < 0 ? simplestFirst.length : rank;
  };
  return (a: Planned, b: Planned): number =>
    rankOf(a) - rankOf(b) || (a.plan?.path.length ?? 0) - (b.plan?.path.length ?? 0);
}
