import type { Plan } from '../../model/documents/trial.ts';
import { NO_DIFFERENCE } from '../stats/decision.ts';

/** Code of more lines than this, or a cost beside time, is advised only for a gain of more than 15 %. */
const FEW_LINES = 20;
const WORTH_AN_EFFORT = 0.85;

/** What a rewrite takes from the program. */
interface Effort {
  lines: number;
  /** Beside time: "the sender loses the buffers". */
  costs: readonly string[];
}

/** The ratio of times from which on the effort is worth it. */
export const worthFrom = ({ lines, costs }: Effort): number =>
  lines > FEW_LINES || costs.length > 0 ? WORTH_AN_EFFORT : NO_DIFFERENCE.from;

/** Lines that a program has to take over, without blank ones. */
export function linesOf(code: { sender: string; receiver: string } | null): number {
  const lines = code === null ? [] : `${code.sender}\n${code.receiver}`.split('\n');
  return lines.filter((line) => line.trim() !== '').length;
}

/** A rewrite, or what is timed for one. */
interface Planned {
  remedy: string | null;
  plan: Plan | null;
}

/**
 * Orders rewrites from the least to the most that a program has to change; a user's own, which is in no list, comes last.
 * Between two plans of one remedy, the one for the outer path comes first.
 */
export function bySimplicity(simplestFirst: readonly string[]) {
  const rankOf = ({ remedy }: Planned): number => {
    const rank = simplestFirst.indexOf(remedy ?? '');
    return rank < 0 ? simplestFirst.length : rank;
  };
  const depthOf = ({ plan }: Planned): number => plan?.path.length ?? 0;
  return (a: Planned, b: Planned): number => rankOf(a) - rankOf(b) || depthOf(a) - depthOf(b);
}
