import { NO_DIFFERENCE } from '../stats/decision.ts';

/** Code of more lines than this, or a cost beside time, is advised only for a gain of more than 15 %. */
const FEW_LINES = 20;
const WORTH_AN_EFFORT = 0.85;

/** What a rewrite takes from the program. */
export interface Effort {
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
