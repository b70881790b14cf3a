/** Differences that the source code of the engines explains: times, memory and advice must show them. */
import type { Row } from '../table.ts';
import { knownAdvice, knownSweeps } from './commands.ts';
import { folder } from './guests.ts';
import { knownMemory } from './memory.ts';
import { knownRemedies } from './remedies.ts';
import { knownTimes } from './times.ts';

export async function knownCosts(): Promise<Row[]> {
  try {
    return [
      ...(await knownTimes()),
      ...(await knownRemedies()),
      ...(await knownMemory()),
      ...(await knownAdvice()),
      ...(await knownSweeps()),
    ];
  } finally {
    folder.remove();
  }
}
