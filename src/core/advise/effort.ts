import { NO_DIFFERENCE } from '../stats/decision.ts';

/** Code of more lines than this is advised only where it gains more than 15 %. */
const FEW_LINES = 20;
const WORTH_MANY_LINES = 0.85;

/** The ratio of times from which on so many lines of code are worth it. */
export const worthFrom = (lines: number): number =>
  lines > FEW_LINES ? WORTH_MANY_LINES : NO_DIFFERENCE.from;

/** Lines that a program has to take over, without blank ones. */
export function linesOf(code: { sender: string; receiver: string } | null): number {
  const lines = code === null ? [] : `${code.sender}\n${code.receiver}`.split('\n');
  return lines.filter((line) => line.trim() !== '').length;
}
