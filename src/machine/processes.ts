/** Processes as Linux reports them: proc(5). Elsewhere there is nothing to read. */
import { readdirSync, readFileSync } from 'node:fs';
import { orElse } from '../model/or-else.ts';

export const processIds = (): number[] => readdirSync('/proc').map(Number).filter(Boolean);

/**
 * Fields of /proc/<pid>/stat from the third on: the name before them, in parentheses, may hold any characters. Empty if
 * the process has ended.
 */
export function statOf(pid: number | 'self'): string[] {
  const stat = orElse(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
